#include "report/traces/trace_statistics.hpp"

#include <algorithm>
#include <array>

namespace orrery::core {

std::string_view name_of(NodeClass node_class) {
  constexpr std::array<std::string_view, node_classes> names{"CPU", "GPU", "Comm", "Remote mem", "Invalid"};
  return names[static_cast<std::size_t>(node_class)];
}

std::optional<NodeClass> class_of(OperationKind kind, Slot slot) {
  switch (kind) {
    case OperationKind::compute:
      return slot == Slot::host ? NodeClass::cpu : NodeClass::gpu;
    case OperationKind::collective:
    case OperationKind::send:
    case OperationKind::receive:
      return NodeClass::communication;
    case OperationKind::load:
    case OperationKind::store:
      return NodeClass::remote_memory;
    case OperationKind::unknown:
      return NodeClass::invalid;
    default:
      return std::nullopt;
  }
}

namespace {

Time length_of_union(std::vector<Interval> intervals) {
  const auto starts_before = [](const Interval& a, const Interval& b) { return a.start < b.start; };
  if (!std::is_sorted(intervals.begin(), intervals.end(), starts_before))
    std::sort(intervals.begin(), intervals.end(), starts_before);
  Time length, covered;
  for (const Interval& interval : intervals) {
    const Time from = std::max(interval.start, covered);
    if (interval.end > from) length += interval.end - from;
    covered = std::max(covered, interval.end);
  }
  return length;
}

}  // namespace

RankStatistics rank_statistics(const TraceView& traces, const Recording& recording, RankId rank) {
  const ExecutionGraph& graph = traces.graph_of(rank);
  const std::vector<Interval>& operations = recording.operations_of(rank);
  RankStatistics statistics;
  statistics.finish = recording.finish_of(rank);
  statistics.gpu_time = traces.facts_of(rank).gpu_time;
  statistics.roofline = traces.facts_of(rank).roofline;
  std::array<std::vector<Interval>, node_classes> intervals;
  for (std::uint32_t id = 0; id < graph.size(); ++id) {
    statistics.wall = std::max(statistics.wall, operations[id].end);
    if (const auto node_class = class_of(graph.kind(id), graph.slot(id)))
      intervals[static_cast<std::size_t>(*node_class)].push_back(operations[id]);
  }
  for (auto& of_class : intervals) {
    statistics.busy.push_back(of_class.empty() ? std::optional<Time>()
                                               : length_of_union(std::move(of_class)));
  }
  const auto& gpu = statistics.busy[static_cast<std::size_t>(NodeClass::gpu)];
  const auto& communication = statistics.busy[static_cast<std::size_t>(NodeClass::communication)];
  if (gpu && communication) {
    const Time busy = saturated_sum(*gpu, *communication);
    if (busy > statistics.wall) statistics.overlap = busy - statistics.wall;
  }
  return statistics;
}

}  // namespace orrery::core
