// Reads a network from a file of any format that describes one.
#pragma once

#include <string>
#include <string_view>

#include "base/input/input_node.hpp"
#include "topology/graph/formats/graph_file.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Reads a graph (graph/formats/graph_file.hpp), the dimensions of a network file of ASTRA-sim 1.0 or 2, or a
// network of flits (flits/flit_network_file.hpp). The dimensions of a graph are the groups that its NPUs
// form. Throws InputError.
Topology read_any_network(std::string_view text, const std::string& file, Warnings& warnings,
                          const Extensions& extensions = no_extensions);

// Returns the topology of a graph, with a dimension for each size of the groups that its NPUs form.
Topology topology_of(BuiltNetwork built);

// Reads a graph as Orrery describes it (graph/formats/graph_file.hpp).
Topology read_graph_network(const InputNode& map, const Extensions& extensions = no_extensions);

}  // namespace orrery::core
