// What a machine and its user say of how the nodes of traces run (docs/models/execution-traces.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/collective_request.hpp"

namespace orrery {

// Compute nodes with operations and bytes, instead of a duration.
struct Roofline {
  bool enabled = false;
  double memory_gb_per_s = 0;
  double peak_tflop_per_s = 0;

  // Returns the rate, in operations per second, at so many operations per byte.
  double rate(double intensity) const {
    return std::min(memory_gb_per_s * 1e9 * intensity, peak_tflop_per_s * 1e12);
  }
};

// What a user may do about a node that cannot be run, in the words of whatever described the machine.
struct TraceAdvice {
  std::string_view roofline;       // what to correct besides the node, for its time
  std::string_view memory;         // where there is no remote memory
  std::string_view memory_speed;   // what to correct besides the node, for the time of a load
  std::string_view groups;         // where a communicator group is not known
  std::string_view collective;     // where a kind of collective is not run: "{}" is its name
  std::string_view scatter_block;  // where a reduce-scatter-block is not
};
inline constexpr TraceAdvice advice_of_flags{
    "peak-perf and local-mem-bw of the system file",
    "give it a memory-type with --remote-memory-configuration",
    "remote-mem-bw and remote-mem-latency of the memory file",
    "define it with --comm-group-configuration, or in the trace",
    "give --real-collectives, or `{}-implementation` in the system file",
    "give --real-collectives",
};

struct TraceRules {
  TraceAdvice advice = advice_of_flags;
  double compute_scale = 1;        // factor on every compute time
  double communication_scale = 1;  // factor on the size of every collective
  Roofline roofline;
  bool replay_only = false;
  bool reduce_scatter_block = false;  // runs, as a reduce-scatter
  bool track_local_memory = false;
  std::string local_memory_file = "local_mem_trace";  // prefix of a file per rank
  // Numbers of algorithms (Machine::algorithms) by kind, 0: the machine's own; and by id of the trace's node.
  std::array<std::uint32_t, collective_kinds> algorithms{};
  std::map<std::uint64_t, std::uint32_t> algorithm_of_node;
  std::map<int, std::vector<int>> groups;  // members as listed, by id
};

// A metadata node of a trace may define groups, as PyTorch does (docs/models/execution-traces.md, Process
// groups).
struct ProcessGroup {
  int id;
  std::vector<int> members;  // empty: all ranks
};
using ProcessGroups = std::map<std::uint32_t, std::vector<ProcessGroup>>;  // by node index

}  // namespace orrery
