#include "report/trace_statistics.hpp"

#include <algorithm>
#include <array>

namespace orrery {

using chakra::NodeType;

std::string_view name_of(NodeClass node_class) {
  constexpr std::array<std::string_view, node_classes> names{"CPU", "GPU", "Comm", "Remote mem", "Invalid"};
  return names[static_cast<std::size_t>(node_class)];
}

std::optional<NodeClass> class_of(NodeType type, bool on_cpu) {
  switch (type) {
    case NodeType::compute:
      return on_cpu ? NodeClass::cpu : NodeClass::gpu;
    case NodeType::collective:
    case NodeType::send:
    case NodeType::receive:
      return NodeClass::communication;
    case NodeType::memory_load:
    case NodeType::memory_store:
      return NodeClass::remote_memory;
    case NodeType::invalid:
      return NodeClass::invalid;
    case NodeType::metadata:
      return std::nullopt;
  }
  return std::nullopt;
}

namespace {

Time length_of_union(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.start < b.start; });
  Time length, covered;
  for (const Interval& interval : intervals) {
    const Time from = std::max(interval.start, covered);
    if (interval.end > from) length += interval.end - from;
    covered = std::max(covered, interval.end);
  }
  return length;
}

RooflineAverages averages(const chakra::TraceGraph& graph, const RankRecording& recording,
                          const Roofline& roofline) {
  RooflineAverages sums;
  double weights = 1;
  const double peak = roofline.peak_tflop_per_s * 1e12, memory = roofline.memory_gb_per_s * 1e9;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const chakra::Node node = graph.nodes[n];
    if (node.type != NodeType::compute || node.tensor_size == 0 || node.num_ops == 0) continue;
    const double duration = (recording.nodes[n].end - recording.nodes[n].start).ns();
    const double intensity = static_cast<double>(node.num_ops) / static_cast<double>(node.tensor_size);
    const double rate = std::min(memory * intensity, peak);
    weights += duration;
    sums.compute_utilization += rate / peak * duration;
    sums.memory_utilization += rate / intensity / memory * duration;
    sums.intensity += intensity * duration;
    if (rate == peak) sums.compute_bound += duration;
  }
  return {sums.compute_bound / weights, sums.compute_utilization / weights, sums.memory_utilization / weights,
          sums.intensity / weights};
}

}  // namespace

RankStatistics rank_statistics(const chakra::TraceGraph& graph, const RankRecording& recording,
                               const Roofline& roofline) {
  RankStatistics statistics;
  statistics.finish = recording.finish;
  statistics.gpu_time = recording.gpu_time;
  std::array<std::vector<Interval>, node_classes> intervals;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    statistics.wall = std::max(statistics.wall, recording.nodes[n].end);
    if (const auto node_class = class_of(graph.nodes.type(n), graph.nodes.on_cpu(n)))
      intervals[static_cast<std::size_t>(*node_class)].push_back(recording.nodes[n]);
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
  if (roofline.enabled) statistics.roofline = averages(graph, recording, roofline);
  return statistics;
}

}  // namespace orrery
