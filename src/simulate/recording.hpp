// What happened in a run, as flat tables. Every statistic is a query over it.
#pragma once

#include <vector>

#include "collective/chunk_records.hpp"
#include "workload/execution_graph.hpp"

namespace orrery {

// When an operation ran; `start` is when its predecessors were complete.
struct Interval {
  Time start, end;
};

struct Recording {
  std::vector<Interval> operations;           // rank 0's, by id in the graph
  std::vector<ExecutionGraph::Id> completed;  // rank 0's operations, in order of completion
  ChunkRecords chunks;                        // rank 0's
  std::vector<Bytes> payload;                 // sent by rank 0, per dimension of the topology
  std::vector<Time> finish;                   // per rank: when its program ended
  int logical_dimensions = 0;
  std::uint64_t messages = 0;  // of all ranks, handshakes included
  std::uint64_t events = 0;
};

}  // namespace orrery
