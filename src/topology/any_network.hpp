// Reads a network from a file of any format that describes one.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.hpp"
#include "topology/topology.hpp"

namespace orrery {

// Reads a graph (graph/graph_file.hpp), or the dimensions of a network file of ASTRA-sim 1.0 or 2. A graph's
// dimensions are the groups that its NPUs form. Throws InputError.
Topology read_any_network(std::string_view text, const std::string& file, Warnings& warnings);

}  // namespace orrery
