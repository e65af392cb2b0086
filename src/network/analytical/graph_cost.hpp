// What a network that is a graph costs, by the prices of dimensions (docs/models/network-analytical.md, Cost
// of a network).
#pragma once

#include <optional>

#include "topology/graph/lazy_graph.hpp"

namespace orrery::core {

// Returns dollars for the links, switches and NICs. A graph without NICs has no cost, because nothing tells
// there which switches and links are within a machine.
std::optional<double> graph_cost(const LazyGraph& graph);

}  // namespace orrery::core
