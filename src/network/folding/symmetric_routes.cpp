#include "network/folding/symmetric_routes.hpp"

#include "network/folding/dimension_links.hpp"
#include "network/folding/graph_links.hpp"
#include "network/folding/product_routes.hpp"

namespace orrery {

int PeerMessages::receiver(int npu) const {
  const auto size = static_cast<std::uint32_t>(group.size);
  const auto position = static_cast<std::uint32_t>(group.position(npu));
  const std::uint32_t there = exclusive_or ? position ^ amount : (position + amount) % size;
  return group.base(npu) + static_cast<int>(there) * group.stride;
}

std::optional<SymmetricRoutes> find_symmetric_routes(const Topology& topology, const Dialect& dialect,
                                                     const std::vector<PeerMessages>& messages) {
  if (!topology.graph) return find_routes_of_dimensions(topology, dialect, messages);
  if (const NetworkProduct* product = topology.graph.product())
    if (std::optional<SymmetricRoutes> routes = find_product_routes(*product, messages)) return routes;
  GraphLinks links(topology);
  return refine_link_symmetry(links, topology.npus(), messages);
}

}  // namespace orrery
