#include "collective/messages/exchange_table.hpp"

#include <fmt/format.h>

#include <limits>

namespace orrery::core {

ExchangeTable::ExchangeTable(const PhaseShape& shape) {
  const auto& schedule = std::get<ExchangeSchedule>(shape.schedule);
  if (schedule.preparations() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({},
                     fmt::format("a phase in which each of {} NPUs sends {} messages is too long to simulate "
                                 "message by message, choose another algorithm",
                                 shape.group.size, schedule.messages));
  }
  messages = static_cast<std::uint32_t>(schedule.messages);
  in_flight = schedule.in_flight;
  gate = schedule.gate;
  ungated_ = messages - gate;
  exclusive_or = schedule.peer == ExchangeSchedule::Peer::exclusive_or;
  size = static_cast<std::uint32_t>(shape.group.size);
  stride = static_cast<std::uint32_t>(shape.group.stride);
  period = static_cast<std::uint32_t>(schedule.steps.size());
  steps.reserve(period);
  for (std::size_t i = 0; i < period; ++i) {
    steps.push_back({schedule.steps[i].amount, schedule.steps[i].bytes,
                     shape.durations.empty() ? depends_on_members : shape.durations[i],
                     shape.reductions.empty() ? Time() : shape.reductions[i]});
  }
  if (shape.reductions.empty()) return;
  reducing.reserve(messages + in_flight);
  for (std::uint64_t k = 0; k < schedule.preparations(); ++k) reducing.push_back(schedule.reducing(k));
}

}  // namespace orrery::core
