// Each message takes, node by node, the link that needs the least time for what is under way over it when the
// message starts; a hash chooses among equal ones.
#include <algorithm>

#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery {
namespace {

void choose_least_loaded(const Junction& junction, std::vector<LinkId>& links) {
  if (!junction.backlog.empty()) {
    const auto ns = [&](LinkId link) {
      return junction.backlog[link] / junction.graph.link(link).bandwidth.bytes_per_ns();
    };
    double least = ns(links[0]);
    for (const LinkId link : links) least = std::min(least, ns(link));
    std::erase_if(links, [&](LinkId link) { return ns(link) > least; });
  }
  choose_by_hash(junction, links);
}

}  // namespace

const RoutingKind adaptive_routing{.name = "adaptive", .choose = choose_least_loaded, .by_message = true};

}  // namespace orrery
