#include "report/traces/trace_report.hpp"

#include <fmt/format.h>

#include "report/traces/local_memory.hpp"

namespace orrery::core {

std::string astra2_lines(const TraceView& traces, const TraceRules& rules, const Recording& recording) {
  std::string text;
  const auto line = [&text](std::string_view component, const std::string& words) {
    text += fmt::format("[{}] [info] {}\n", component, words);
  };
  for (const RankId rank : recording.finish_order) {
    const RankStatistics of = rank_statistics(traces, recording, rank);
    line("workload", fmt::format("sys[{}] finished, {} cycles, exposed communication {} cycles.",
                                 rank.value(), of.finish.whole_ns(), of.exposed_cycles()));
    line("statistics", fmt::format("sys[{}]. Post statistics processing start.", rank.value()));
    line("statistics", fmt::format("sys[{}]. Post statistics processing end.", rank.value()));
    line("statistics", fmt::format("sys[{}], Wall time: {}", rank.value(), of.wall.whole_ns()));
    for (const NodeClass node_class : {NodeClass::cpu, NodeClass::communication, NodeClass::gpu,
                                       NodeClass::remote_memory, NodeClass::invalid}) {
      if (const auto& busy = of.busy[static_cast<std::size_t>(node_class)])
        line("statistics",
             fmt::format("sys[{}], {} time: {}", rank.value(), name_of(node_class), busy->whole_ns()));
    }
    if (of.overlap > Time())
      line("statistics", fmt::format("sys[{}], Total compute-communication overlap: {}", rank.value(),
                                     of.overlap.whole_ns()));
    if (of.roofline) {
      const RooflineAverages& roofline = *of.roofline;
      line("statistics", fmt::format("sys[{}], Compute bound percentage: {:.3f}%", rank.value(),
                                     roofline.compute_bound * 100));
      line("statistics", fmt::format("sys[{}], Average compute utilization: {:.3f}%", rank.value(),
                                     roofline.compute_utilization * 100));
      line("statistics", fmt::format("sys[{}], Average memory utilization: {:.3f}%", rank.value(),
                                     roofline.memory_utilization * 100));
      line("statistics",
           fmt::format("sys[{}], Average operation intensity: {:.3f}", rank.value(), roofline.intensity));
    }
    if (rules.track_local_memory) {
      const std::uint64_t peak = peak_local_memory(traces, recording, rank);
      line("workload", fmt::format("sys[{}] peak memory usage: {}", rank.value(), memory_words(peak)));
    }
  }
  return text;
}

}  // namespace orrery::core
