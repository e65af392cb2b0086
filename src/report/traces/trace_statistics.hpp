// Computes the statistics of a run of traces by queries over its recording (docs/models/execution-traces.md,
// Statistics).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/units/rank_id.hpp"
#include "simulate/recording.hpp"
#include "workload/chakra/program/trace_program.hpp"

namespace orrery::core {

enum class NodeClass { cpu, gpu, communication, remote_memory, invalid };
inline constexpr int node_classes = 5;
// Returns the name that the lines of ASTRA-sim 2 use for the class.
std::string_view name_of(NodeClass node_class);
std::optional<NodeClass> class_of(OperationKind kind, Slot slot);

struct RankStatistics {
  Time finish;
  Time gpu_time;                          // sum of compute, overlapping or not
  Time wall;                              // end of the last node
  std::vector<std::optional<Time>> busy;  // by class: length of the union of its nodes' intervals
  Time overlap;                           // time in which compute and communication overlap
  std::optional<RooflineAverages> roofline;

  // ASTRA-sim 2 calls all time that is not compute exposed communication. As there, the number wraps around
  // where nodes that overlap compute for longer than the run takes.
  std::uint64_t exposed_cycles() const {
    return static_cast<std::uint64_t>(finish.whole_ns()) - static_cast<std::uint64_t>(gpu_time.whole_ns());
  }
};

RankStatistics rank_statistics(const TraceView& traces, const Recording& recording, RankId rank);

}  // namespace orrery::core
