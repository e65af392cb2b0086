// Execution traces run on a machine of ASTRA-sim 2, which is described here
// (docs/models/execution-traces.md).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/dialect.hpp"
#include "collective/library/collective_library.hpp"
#include "collective/streams/stream_config.hpp"
#include "network/network_models.hpp"
#include "topology/topology.hpp"
#include "workload/chakra/trace_graph.hpp"

namespace orrery {

// Compute nodes with operations and bytes, instead of a duration.
struct Roofline {
  bool enabled = false;
  double memory_gb_per_s = 0;
  double peak_tflop_per_s = 0;
};

// Memory beyond the NPU's own, behind servers that take one request at a time.
struct RemoteMemory {
  enum class Kind { none, per_npu, per_node, pool } kind = Kind::none;
  std::int64_t latency_ns = 0;
  std::int64_t bytes_per_ns = 0;
  int npus_per_node = 1;
};

struct TraceMachine {
  Topology topology;
  NetworkModel network = &analytical_model;
  StreamConfig streams;
  Dialect dialect;
  Roofline roofline;
  bool replay_only = false;
  bool reduce_scatter_block = false;  // runs, as a reduce-scatter
  bool track_local_memory = false;
  std::string local_memory_file = "local_mem_trace";  // prefix of a file per rank
  RemoteMemory memory;
  std::array<std::shared_ptr<const CustomAlgorithm>, collective_kinds>
      custom;  // by kind; null: the machine's own
  std::map<std::uint64_t, std::shared_ptr<const CustomAlgorithm>>
      custom_of_node;                      // by id of the trace's node
  std::map<int, std::vector<int>> groups;  // members as listed, by id
  // Carries out collectives by closed forms; null: they are messages of algorithms.
  std::shared_ptr<const CollectiveLibrary> library;
  // Flows that share the network with all messages; null: none.
  std::shared_ptr<const std::vector<Flow>> background;
  std::shared_ptr<const PacketSettings> packets;  // of the network model `packet`; null: the usual ones
  bool fold = true;
  // In runs of fewer messages than this, ranks that end in the same instant are always in the order of their
  // events, as it takes no time to simulate them all.
  double few_messages = 2e6;
  // If all ranks do the same, that also holds if one of them sends fewer messages than this.
  double few_messages_of_rank = 20'000;
};

// A metadata node of a trace may define groups, as PyTorch does (docs/models/execution-traces.md, Process
// groups).
struct ProcessGroup {
  int id;
  std::vector<int> members;  // empty: all ranks
};
using ProcessGroups = std::map<std::uint32_t, std::vector<ProcessGroup>>;  // by node index

// The trace of one rank; equal ranks share a graph.
struct RankTrace {
  std::shared_ptr<const chakra::TraceGraph> graph;
  std::string file;
  std::shared_ptr<const ProcessGroups> process_groups;  // null: none
};

}  // namespace orrery
