// A trace as a graph that can be run: nodes by ascending id, with edges instead of ids.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "program/execution_graph.hpp"
#include "workload/chakra/check/trace_doubts.hpp"
#include "workload/chakra/dependencies/trace_order.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

struct TraceGraph {
  NodeList nodes;  // by ascending id, each id once
  std::shared_ptr<const GraphEdges>
      parents;                              // each once, ascending; never null; many graphs may have the same
  std::vector<std::string> texts;           // as in Trace
  std::vector<Trace::NodeTensors> tensors;  // by node index
  std::vector<Trace::NodeValues> metadata;  // by node index
  TraceDoubts doubts;
};

// Returns the name of a node in messages: "node 3 (`name`)".
std::string described(const NodeList& nodes, std::size_t node);

// Makes the graph. Nodes of the same id are merged: their dependencies add up, and the last node supplies the
// rest. Parents that the trace does not hold count as done: Chakra's converters leave nodes out. `file` names
// the trace in errors. Throws InputError when nothing can start, and when there is a cycle. This takes less
// memory when the trace need not be kept, because its nodes are not copied then.
TraceGraph make_graph(Trace trace, const std::string& file, TraceOrder order = TraceOrder::dependencies);

}  // namespace orrery::core::chakra
