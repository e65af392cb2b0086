// All messages between two nodes take one way: at each node it is the first link that leads on.
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

const RoutingKind shortest_routing{
    .name = "shortest", .choose = [](const RoutingPoint&, std::vector<LinkId>& links) { links.resize(1); }};

}  // namespace orrery::core
