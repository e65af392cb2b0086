#include "simulate/recording.hpp"

#include <algorithm>
#include <utility>

#include "network/transport.hpp"

namespace orrery {

void Recording::set_ranks(const RankClasses& simulated_classes, const RankParts& of_program,
                          std::vector<Time> ends, std::vector<std::vector<Interval>> operations) {
  classes = simulated_classes;
  finish = std::move(ends);
  const bool every_class = operations.size() == classes.count();
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const std::uint32_t number = every_class ? i : of_program[i].recorded;
    const std::uint32_t part = of_program.of(number), rank = classes.representative(number);
    ranks.push_back({part, number, rank, every_class ? classes.size(number) : of_program[part].ranks,
                     std::move(operations[i]), finish[number], finish[number], rank});
  }
  for (std::uint32_t part = 0; part < of_program.count(); ++part)
    parts.push_back({every_class ? of_program[part].recorded : part, {}});
  if (every_class) return;
  for (std::uint32_t number = 0; number < classes.count(); ++number) {
    ClassRecord& record = ranks[of_program.of(number)];
    if (finish[number] <= record.last_finish) continue;
    record.last_finish = finish[number];
    record.last_rank = classes.representative(number);
  }
}

void Recording::add_network(Transport& network) {
  link_history = network.link_history();
  switches = network.switches();
  latencies = network.latencies();
  message_times = network.message_times();
  shortcuts = network.shortcuts();
}

Time Recording::end() const {
  Time end;
  for (const Time one : finish) end = std::max(end, one);
  return end;
}

}  // namespace orrery
