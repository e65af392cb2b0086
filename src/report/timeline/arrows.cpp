#include "report/timeline/arrows.hpp"

namespace orrery::core {

std::vector<std::uint32_t> numbers_of_messages(RankId rank, const ExecutionGraph& graph,
                                               const std::vector<Interval>& operations,
                                               MessageArrows& messages, SmallNumbers& numbers) {
  std::vector<std::uint32_t> of_operations(graph.size()), ends;
  for (std::uint32_t id = 0; id < graph.size(); ++id)
    if (is_message(graph.kind(id))) ends.push_back(id);
  std::ranges::stable_sort(ends, {}, [&](std::uint32_t id) { return operations[id].start; });
  for (const std::uint32_t id : ends)
    of_operations[id] = numbers.of(*message_of(graph[id], rank.value(), messages));
  return of_operations;
}

}  // namespace orrery::core
