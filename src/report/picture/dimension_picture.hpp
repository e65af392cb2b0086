// Draws networks that are described by dimensions: NPUs in a grid, or where there are too many NPUs, one
// group of each dimension.
#pragma once

#include <string>
#include <vector>

#include "network/link/link_map.hpp"
#include "report/picture/known_loads.hpp"
#include "report/picture/network_picture.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// `map` numbers the topology's links. Where the topology has a graph, the graph is a product of these
// dimensions.
NetworkPicture dimension_picture(const Topology& topology, const LinkMap& map, const KnownLoads& loads);

}  // namespace orrery::core
