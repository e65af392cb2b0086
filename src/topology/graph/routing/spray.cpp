// Every packet takes another route, so that a message is divided evenly among all links that lead on (Dixit,
// Prakash, Hu and Kompella, "On the impact of packet spraying in data center networks", INFOCOM 2013).
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

void keep_all(const RoutingPoint&, std::vector<LinkId>&) {}

const RoutingKind spray_routing{.name = "spray", .choose = keep_all};

}  // namespace orrery::core
