// Every packet takes another way, so that a message is divided evenly among all links that lead on (Dixit,
// Prakash, Hu and Kompella, "On the impact of packet spraying in data center networks", INFOCOM 2013).
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery {

const RoutingKind spray_routing{.name = "spray", .choose = [](const Junction&, std::vector<LinkId>&) {}};

}  // namespace orrery
