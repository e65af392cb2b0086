// Records what happened in a run, as flat tables. Every statistic is a query over them.
#pragma once

#include <string>
#include <vector>

#include "collective/chunk_records.hpp"
#include "network/link_use.hpp"
#include "topology/rank_classes.hpp"
#include "workload/execution_graph.hpp"

namespace orrery {

// Time in which an operation ran; `start` is when its predecessors were complete.
struct Interval {
  Time start, end;
};

struct Recording {
  std::vector<Interval> operations;                    // rank 0's, by id in the graph
  std::vector<ExecutionGraph::Id> completed;           // rank 0's operations, by completion and id
  ChunkRecords chunks;                                 // records of rank 0's chunks
  std::vector<Bytes> payload;                          // sent by rank 0, per dimension of the topology
  RankClasses classes = RankClasses::all_distinct(0);  // classes that were simulated; rank 0 is of class 0
  std::vector<Time> finish;                            // per class: when its program ended
  std::vector<LinkUse> links;                          // links of the machine, the busiest first
  double slowdown = 1;                                 // factor on rank 0's compute times
  int logical_dimensions = 0;
  std::uint64_t messages = 0;  // number over all ranks, handshakes included
  std::uint64_t events = 0;    // number of events that the simulation took
  bool folded = false;
  Time finish_of(std::uint32_t rank) const { return finish[classes.class_of(rank)]; }
  bool ties_as_alone = false;  // folded, and the order within an instant, where it matters, is a lone rank's
  std::string not_folded_because;  // the reason, if it was not folded
};

}  // namespace orrery
