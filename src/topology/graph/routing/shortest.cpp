// One way for all messages between two nodes: at each node the first link that leads on.
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery {

const RoutingKind shortest_routing{
    .name = "shortest", .choose = [](const Junction&, std::vector<LinkId>& links) { links.resize(1); }};

}  // namespace orrery
