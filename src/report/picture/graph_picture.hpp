// Draws networks that are graphs: NPUs below, and above them a row for each level and kind of node. Where all
// nodes are in one row, they form a circle.
#pragma once

#include "report/picture/known_loads.hpp"
#include "report/picture/network_picture.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

NetworkPicture graph_picture(const NetworkGraph& graph, const KnownLoads& loads);

}  // namespace orrery::core
