// A hash chooses a route for each message, whatever the ones before it took.
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

const RoutingKind message_spray_routing{
    .name = "spray-messages", .choose = choose_by_hash, .by_message = true};

}  // namespace orrery::core
