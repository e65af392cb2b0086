// What a machine and its user say about how the nodes of traces run (docs/models/execution-traces.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/collective_request.hpp"
#include "workload/chakra/dependencies/trace_order.hpp"

namespace orrery::core {

// The model of compute nodes that state operations and bytes, instead of a duration.
struct Roofline {
  bool enabled = false;
  double memory_gb_per_s = 0;
  double peak_tflop_per_s = 0;

  // Returns the rate, in operations per second, at so many operations per byte.
  double rate(double intensity) const {
    return std::min(memory_gb_per_s * 1e9 * intensity, peak_tflop_per_s * 1e12);
  }
};

// What a user can do about a node that cannot be run, in the words of the format that described the machine.
struct TraceAdvice {
  std::string_view roofline;       // what to correct besides the node, for its time
  std::string_view memory;         // what to do where there is no remote memory
  std::string_view memory_speed;   // what to correct besides the node, for the time of a load
  std::string_view groups;         // what to do where a communicator group is not known
  std::string_view collective;     // what to do where a kind of collective is not run; "{}" is its name
  std::string_view scatter_block;  // what to do where a reduce-scatter-block is not run
  std::string_view order;          // what to do where only the recording knows the order of nodes
  std::string_view replay;         // how every node takes its recorded time
};
inline constexpr TraceAdvice advice_of_flags{
    "peak-perf and local-mem-bw of the system file",
    "give it a memory-type with --remote-memory-configuration",
    "remote-mem-bw and remote-mem-latency of the memory file",
    "define it with --comm-group-configuration, or in the trace",
    "give --real-collectives, or `{}-implementation` in the system file",
    "give --real-collectives",
    "give --order=recorded",
    "set `replay-only` to 1 in the system file",
};

struct TraceRules {
  TraceAdvice advice = advice_of_flags;
  double compute_scale = 1;        // factor on every compute time
  double communication_scale = 1;  // factor on the size of every collective
  Roofline roofline;
  bool replay_only = false;
  bool reduce_scatter_block = false;  // a reduce-scatter-block is run, as a reduce-scatter
  bool track_local_memory = false;
  TraceOrder order = TraceOrder::dependencies;
  std::string local_memory_file = "local_mem_trace";  // prefix of the files, one for each rank
  // Numbers of algorithms (Machine::algorithms), by kind of collective, and by id of the trace's node. 0
  // stands for the machine's own algorithm.
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

}  // namespace orrery::core
