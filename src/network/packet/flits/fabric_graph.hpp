// A network of flits as a graph of its NPUs, switches and wires, for those that describe networks.
#pragma once

#include "topology/flits/flit_network.hpp"
#include "topology/graph/graph_file.hpp"

namespace orrery {

// Every wire is a link one way, with the bandwidth at which it passes flits and the time that a flit takes
// from one router to the next. Throws InputError when the network is too large.
BuiltNetwork graph_of(const FlitNetwork& network);

}  // namespace orrery
