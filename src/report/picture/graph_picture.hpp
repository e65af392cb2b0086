// Networks that are graphs, as they can be drawn: NPUs below, and a row above for each level and kind of
// node; a circle where all are in one row.
#pragma once

#include "report/picture/known_loads.hpp"
#include "report/picture/network_picture.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery {

NetworkPicture graph_picture(const NetworkGraph& graph, const KnownLoads& loads);

}  // namespace orrery
