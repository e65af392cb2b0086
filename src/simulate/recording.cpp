#include "simulate/recording.hpp"

#include <algorithm>
#include <utility>

#include "network/transport.hpp"

namespace orrery::core {

void Recording::set_ranks(const RankClasses& simulated_classes, const RankParts& of_program,
                          std::vector<Time> ends, std::vector<std::vector<Interval>> operations) {
  classes = simulated_classes;
  finish = std::move(ends);
  const bool every_class = operations.size() == classes.count();
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const ClassId of_class = every_class ? ClassId(i) : of_program[i].recorded;
    const std::uint32_t part = of_program.of(of_class);
    const RankId rank = classes.representative(of_class);
    const Time end = finish[of_class.index()];
    ranks.push_back({part, of_class, rank, every_class ? classes.size(of_class) : of_program[part].ranks,
                     std::move(operations[i]), end, end, rank});
  }
  for (std::uint32_t part = 0; part < of_program.count(); ++part)
    parts.push_back({every_class ? of_program[part].recorded.index() : part, {}});
  if (every_class) return;
  for (const ClassId of_class : first_ids<ClassId>(classes.count())) {
    ClassRecord& record = ranks[of_program.of(of_class)];
    const Time end = finish[of_class.index()];
    if (end <= record.last_finish) continue;
    record.last_finish = end;
    record.last_rank = classes.representative(of_class);
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

}  // namespace orrery::core
