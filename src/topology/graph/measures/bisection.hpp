// Computes what a network can carry between the two halves of its NPUs.
#pragma once

#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Returns the largest flow from the NPUs of the lower half of numbers to the others, or back if that is less,
// where each link carries at most its bandwidth. An odd NPU belongs to the upper half. The maximum flow is
// exact to 2^-60 of what all links carry together (Dinic's algorithm; the NPUs of a half are one node).
// With `counted`, which says it by link, other links carry nothing.
Bandwidth bisection_bandwidth(const NetworkGraph& graph, const std::vector<bool>& counted = {});

// Returns the bandwidth of all links that leave NPUs of a half: of the half that has less of it.
Bandwidth injection_bandwidth(const NetworkGraph& graph);

// Returns the largest flow from the NPUs of a half to switches and the other half's NPUs: what they can send
// into the network through the NICs and buses of their machines. Without switches, that is the bandwidth of
// all links that leave them.
Bandwidth bandwidth_into_network(const NetworkGraph& graph, const std::vector<bool>& counted = {});

}  // namespace orrery::core
