// The routings that users can choose. A new one is a RoutingKind in a file of its own, and a line here.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "topology/graph/routing/routing_kind.hpp"

namespace orrery::core {

extern const RoutingKind ecmp_routing;             // a hash spreads channels
extern const RoutingKind shortest_routing;         // the first route, always
extern const RoutingKind spray_routing;            // each message is divided among all ways
extern const RoutingKind message_spray_routing;    // a hash spreads messages
extern const RoutingKind adaptive_routing;         // the route with the least traffic
extern const RoutingKind packet_spray_routing;     // packets take links by turns
extern const RoutingKind random_spray_routing;     // each packet takes any link
extern const RoutingKind label_spray_routing;      // a hash of each packet's label chooses
extern const RoutingKind flowlet_routing;          // a flow may take another route after a pause
extern const RoutingKind packet_adaptive_routing;  // packets take the link with the shortest queue
extern const RoutingKind dimension_order_routing;  // in a grid, one dimension after the other
extern const RoutingKind static_routing;           // the routes that the network's file lists
extern const RoutingKind relay_routing;            // as ecmp, and NPUs pass on messages that would not arrive

inline constexpr std::array<EnumName<Routing>, 13> routing_words{{
    {"ecmp", &ecmp_routing},
    {"shortest", &shortest_routing},
    {"spray", &spray_routing},
    {"spray-messages", &message_spray_routing},
    {"adaptive", &adaptive_routing},
    {"spray-packets", &packet_spray_routing},
    {"spray-random", &random_spray_routing},
    {"spray-labels", &label_spray_routing},
    {"flowlets", &flowlet_routing},
    {"adaptive-packets", &packet_adaptive_routing},
    {"dimension-order", &dimension_order_routing},
    {"static", &static_routing},
    {"relay", &relay_routing},
}};

// Returns the routing that is used where the user chooses none. If the file lists routes, it is the one that
// takes these.
Routing usual_routing(const NetworkGraph& graph);

}  // namespace orrery::core
