// Writes a network as text for Graphviz.
#pragma once

#include <string>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Nodes of a kind have a shape of their own. Cables side by side are one edge that says how many they are.
std::string graph_dot(const NetworkGraph& graph);

}  // namespace orrery::core
