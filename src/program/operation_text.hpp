// Describes operations, and what they ask for, as messages call them.
#pragma once

#include <cstdint>
#include <string>

#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"
#include "program/execution_graph.hpp"

namespace orrery::core {

// Returns "the all-reduce of 8 bytes for the weight gradient of layer 'a' in iteration 0", or "node 3
// (`name`)" where operations have numbers and names.
std::string described(const ExecutionGraph& graph, ExecutionGraph::Id id);

// Returns "an all-reduce of 8 bytes", "a broadcast of 8 bytes with root 3" or "a barrier": what a rank asks
// for.
std::string described(const CollectiveRequest& request, RankId rank, const Communicator& communicator);

}  // namespace orrery::core
