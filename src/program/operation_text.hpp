// An operation as messages call it.
#pragma once

#include <string>

#include "program/execution_graph.hpp"

namespace orrery {

// "the all-reduce of 8 bytes for the weight gradient of layer 'a' in iteration 0"; "node 3 (`name`)" where
// operations have numbers and names.
std::string described(const ExecutionGraph& graph, ExecutionGraph::Id id);

}  // namespace orrery
