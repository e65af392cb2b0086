// In a grid messages go all the way along the innermost dimension first, then along the next one (Dally and
// Seitz, "The torus routing chip", 1986). A hash chooses between two equally short directions of a circle,
// and among cables side by side.
#include <algorithm>

#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {
namespace {

void choose_lowest_dimension(const RoutingPoint& point, std::vector<LinkId>& links) {
  const auto dimension = [&](LinkId link) { return point.graph.link(link).dimension; };
  int lowest = dimension(links[0]);
  for (const LinkId link : links) lowest = std::min<int>(lowest, dimension(link));
  std::erase_if(links, [&](LinkId link) { return dimension(link) != lowest; });
  choose_by_hash(point, links);
}

std::string_view why_no_grid(const NetworkGraph& graph) {
  for (const LinkId link : graph.all_links())
    if (graph.link(link).dimension > 0) return {};
  return "is for networks that are built as a torus, mesh or ring, and this is none";
}

}  // namespace

const RoutingKind dimension_order_routing{
    .name = "dimension-order", .choose = choose_lowest_dimension, .why_not = why_no_grid};

}  // namespace orrery::core
