// Switches send packets by the link with the shortest queue. A flow keeps its link for a while, so that not
// all packets of all flows take the same one.
#include <algorithm>

#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {
namespace {

// A flow leaves its link only for one with a shorter queue. Among several that are equally short, the first
// one from a random place on is taken.
std::size_t choose_shortest_queue(const PacketJunction& at) {
  if (at.before && at.before->held_ps < at.interval_ps) return at.before->link;
  const std::size_t count = at.waiting.size();
  std::size_t best = at.before ? at.before->link : at.random % count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t link = (at.random + i) % count;
    if (at.waiting[link] < at.waiting[best]) best = link;
  }
  return best;
}

}  // namespace

const RoutingKind packet_adaptive_routing{
    .name = "adaptive-packets",
    .choose = keep_all,
    .packets = {.choose = choose_shortest_queue, .remembers_flows = true}};

}  // namespace orrery::core
