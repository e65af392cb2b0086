// Draws a network.
#pragma once

#include <string>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// A drawing of more nodes than this cannot be read.
inline constexpr std::size_t max_readable_nodes = 300;

// Returns an SVG file with NPUs below and a row above them for each level and kind of node. Cables side by
// side are one line, which is dashed where it leads one way. The titles of lines and nodes say what they are.
std::string graph_svg(const NetworkGraph& graph);

}  // namespace orrery::core
