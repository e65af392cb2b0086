// Makes a graph of the NPUs, switches and wires of a network of flits, for reports that describe networks.
#pragma once

#include "topology/flits/flit_network.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core {

// Every wire is a link that leads one way. It has the bandwidth at which it passes flits, and the time that a
// flit takes from one router to the next. Throws InputError when the network is too large.
BuiltNetwork graph_of(const FlitNetwork& network);

}  // namespace orrery::core
