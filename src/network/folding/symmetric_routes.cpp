#include "network/folding/symmetric_routes.hpp"

#include "network/folding/dimension_links.hpp"
#include "network/folding/link_symmetry.hpp"
#include "network/folding/product_routes.hpp"
#include "network/graph/graph_routes.hpp"

namespace orrery::core {

namespace {

// The links of a graph, as folding looks at them.
class GraphLinks final : public RoutedLinks {
 public:
  // Keeps a reference to the topology, which has a graph.
  explicit GraphLinks(const Topology& topology) : routes_(topology) {}

  std::uint64_t links() const override { return routes_.graph().links(); }
  double bytes_per_ns(LinkId link) const override { return routes_.bytes_per_ns(link); }
  SymmetricRoutes::Links describe(LinkId link) const override {
    const NetworkLink& described = routes_.graph().link(link);
    return {routes_.graph().node(described.from).name, routes_.graph().node(described.to).name,
            routes_.dimension_of(link), 1, bytes_per_ns(link)};
  }
  const Route& route(int source, int destination) override { return known_route(source, destination).route; }
  double most(int source, int destination) override { return known_route(source, destination).bytes_per_ns; }

 private:
  const GraphRoutes::KnownRoute& known_route(int source, int destination) {
    return routes_[routes_.between(source, destination, {})];
  }

  GraphRoutes routes_;
};

}  // namespace

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

}  // namespace orrery::core
