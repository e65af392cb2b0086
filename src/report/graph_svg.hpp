// A drawing of a network.
#pragma once

#include <string>

#include "topology/graph/network_graph.hpp"

namespace orrery {

// More nodes than this make a drawing that cannot be read.
inline constexpr std::size_t most_readable_nodes = 300;

// Returns an SVG file with NPUs below and a row above for each level and kind of node. Cables side by side
// are one line, dashed where it goes one way; its title and that of a node say what it is.
std::string graph_svg(const NetworkGraph& graph);

}  // namespace orrery
