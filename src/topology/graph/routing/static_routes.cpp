// The network's file lists routes. Messages without a route in the list, or with one that is broken, go by a
// hash.
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

const RoutingKind static_routing{
    .name = "static",
    .choose = choose_by_hash,
    .by_table = true,
    .why_not = [](const NetworkGraph& graph) -> std::string_view {
      if (graph.has_listed_routes()) return {};
      return "takes the ways that the network's file lists under `routes`, and it lists none";
    }};

Routing usual_routing(const NetworkGraph& graph) {
  return graph.has_listed_routes() ? &static_routing : &ecmp_routing;
}

}  // namespace orrery::core
