// The formats in which networks are described. A new one is a GraphFormat in a file of its own, and a line
// here.
#pragma once

#include <array>

#include "topology/graph/graph_file.hpp"

namespace orrery {

extern const GraphFormat ns3_topology_format;  // ns3_topology.cpp

inline constexpr std::array graph_formats{&ns3_topology_format};

}  // namespace orrery
