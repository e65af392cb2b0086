#include "simulate/dataflow_stall.hpp"

#include <fmt/format.h>

#include "program/operation_text.hpp"

namespace orrery::core {

std::vector<std::string> circles(const ExecutionGraph& graph, std::span<const Interval> intervals,
                                 RankId rank) {
  std::vector<std::string> lines;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    if (intervals[id].start != not_yet) continue;
    // Reports only the operations that cause the stall: the others wait for these.
    for (const ExecutionGraph::Id predecessor : graph.predecessors(id)) {
      if (predecessor >= id) {
        lines.push_back(fmt::format("rank {} cannot start {}: it waits for {}", rank.value(),
                                    described(graph, id), described(graph, predecessor)));
      }
    }
  }
  return lines;
}

std::vector<ExecutionGraph::Id> under_way(std::span<const Interval> intervals) {
  std::vector<ExecutionGraph::Id> ids;
  for (ExecutionGraph::Id id = 0; id < intervals.size(); ++id)
    if (intervals[id].start != not_yet && intervals[id].end == not_yet) ids.push_back(id);
  return ids;
}

}  // namespace orrery::core
