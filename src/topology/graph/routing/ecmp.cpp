// Equal-cost multi-path: at each node a hash of the flow's ends chooses a link (Hopps, RFC 2992, 2000).
#include "base/random.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

// Each of n links is the last one to be taken with probability 1/n.
void choose_by_hash(const RoutingPoint& point, std::vector<LinkId>& links) {
  LinkId chosen = links[0];
  for (std::size_t i = 1; i < links.size(); ++i)
    if (Random(point.hash ^ (std::uint64_t{links[i].value()} << 20)).next() % (i + 1) == 0) chosen = links[i];
  links.assign(1, chosen);
}

const RoutingKind ecmp_routing{.name = "ecmp", .choose = choose_by_hash};

}  // namespace orrery::core
