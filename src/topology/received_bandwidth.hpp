// Says how much an NPU can receive at a time.
#pragma once

#include "topology/topology.hpp"

namespace orrery::core {

// Returns the bytes per second that reach NPU 0 at most: by all links into it where the network is a graph,
// else by those of the dimension in which it has most. Collectives in several dimensions use these one after
// the other.
double received_per_second(const Topology& topology);

}  // namespace orrery::core
