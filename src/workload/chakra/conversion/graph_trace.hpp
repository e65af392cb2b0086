// Writes an execution graph as a Chakra trace, and reads it back without loss.
//
// Every operation is a node with the operation's number: computation is a compute node, an operation that
// only takes a program's time is a compute node on the CPU, and collectives are collective nodes. Other
// simulators can run that. What only our graph knows is in two attributes that others ignore:
// `orrery_duration_ps`, since Chakra's durations are in microseconds, and `orrery_operation`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "program/execution_graph.hpp"
#include "topology/logical_dimension.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

// A graph with what it requires of the machine: it was made for one with so many logical dimensions.
struct RecordedGraph {
  ExecutionGraph graph;
  int passes = 1;  // training iterations
  int dimensions = 1;
  std::optional<DimensionSplit> split;  // the topology's dimension that is cut in two
  std::string file;                     // file that the graph comes from; "" when it is from none
};

Trace trace_of(const RecordedGraph& recorded);

// Throws InputError when the trace was not made by trace_of(); `file` names it.
RecordedGraph recorded_graph(const Trace& trace, const std::string& file);

// Returns whether a workload's file is a trace and not text, judging by its first bytes.
bool looks_like_trace(std::string_view bytes);

}  // namespace orrery::core::chakra
