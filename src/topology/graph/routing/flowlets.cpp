// A flow that has sent nothing for a while may take another route, without its packets overtaking one
// another. Chance chooses, as in Vanini et al., "Let It Flow: Resilient Asymmetric Load Balancing with
// Flowlet Switching", NSDI 2017.
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {
namespace {

std::size_t choose_for_flowlet(const PacketJunction& at) {
  if (at.before && at.before->ago_ps < at.interval_ps) return at.before->link;
  return at.random % at.waiting.size();
}

}  // namespace

const RoutingKind flowlet_routing{.name = "flowlets",
                                  .choose = keep_all,
                                  .packets = {.choose = choose_for_flowlet, .remembers_flows = true}};

}  // namespace orrery::core
