// Computes how far apart the two NPUs of a network are that are farthest apart.
#pragma once

#include <cstdint>

#include "topology/graph/measures/graph_search.hpp"

namespace orrery::core {

// The largest weight of a route of least weight between two NPUs. Both numbers are equal unless finding the
// exact one would take too long. `at_most` is `infinite_distance` where not even a bound is known.
struct Diameter {
  std::int64_t at_least = 0, at_most = 0;
  NodeId from, to;  // two NPUs that are at_least apart
};

// Returns the diameter. Every NPU has to reach every other one.
Diameter find_diameter(const NetworkGraph& graph, Weight weight);

}  // namespace orrery::core
