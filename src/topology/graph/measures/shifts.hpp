// Finds NPUs that are alike because a network looks the same after its NPUs are shifted.
#pragma once

#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Returns for each node one that has the same place in the network: a symmetry of the network leads one to
// the other, so that both are as far from other nodes. The symmetries looked for are shifts by s within
// blocks of b consecutive numbers, v -> v - v mod b + (v + s) mod b, as those along the dimensions of a ring
// or torus. Only networks without switches have them. It takes a few looks at each link.
std::vector<NodeId> places_by_shifts(const NetworkGraph& graph);

}  // namespace orrery::core
