// Computes what a network can carry between the two halves of its NPUs.
#pragma once

#include "topology/graph/network_graph.hpp"

namespace orrery {

// Returns the largest flow from the NPUs of the lower half of numbers to the others, or back if that is less,
// where each link carries at most its bandwidth. An odd NPU belongs to the upper half. The maximum flow is
// exact to 2^-60 of what all links carry together (Dinic's algorithm; the NPUs of a half are one node).
Bandwidth bisection_bandwidth(const NetworkGraph& graph);

// Returns the bandwidth of all links that leave NPUs of a half: of the half that has less of it.
Bandwidth injection_bandwidth(const NetworkGraph& graph);

}  // namespace orrery
