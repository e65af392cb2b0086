// Each message takes the route whose links together need the least time for what is under way over them when
// the message starts; a hash chooses among equal ones. (The busiest link alone would not do: it may be one
// that all ways share.)
#include <algorithm>

#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {
namespace {

void choose_least_loaded(const RoutingPoint& point, std::vector<LinkId>& links) {
  if (!point.loads.empty()) {
    double least = point.loads[links[0].index()];
    for (const LinkId link : links) least = std::min(least, point.loads[link.index()]);
    std::erase_if(links, [&](LinkId link) { return point.loads[link.index()] > least; });
  }
  choose_by_hash(point, links);
}

}  // namespace

const RoutingKind adaptive_routing{
    .name = "adaptive", .choose = choose_least_loaded, .by_message = true, .by_load = true};

}  // namespace orrery::core
