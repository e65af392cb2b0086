#include "network/folding/dimension_links.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "base/diagnostics/unreachable.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/folding/link_symmetry.hpp"
#include "network/folding/product_routes.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"

namespace orrery::core {
namespace {

// The links of a network of dimensions, as the fluid transport knows them.
class DimensionLinks final : public RoutedLinks {
 public:
  // Keeps a reference to the network.
  DimensionLinks(const Topology& topology, const Dialect& dialect, const AnalyticalNetwork& network)
      : network_(network), map_(topology, dialect.one_link_per_message), speeds_(topology, dialect) {}

  std::uint64_t links() const override { return map_.size(); }
  double bytes_per_ns(LinkId link) const override { return speeds_.bytes_per_ns(dimension(link)); }
  SymmetricRoutes::Links describe(LinkId link) const override {
    LinkMap::Ends ends = map_.ends(link.value());
    return {std::move(ends.from), std::move(ends.to), map_.dimension(link.value()), 1, bytes_per_ns(link)};
  }
  const Route& route(int source, int destination) override {
    route_.parts.clear();
    HopCursor cursor = map_.cursor(source, destination);
    do route_.parts.push_back({LinkId(map_.next_link(cursor)), 1.0});
    while (map_.advance(cursor));
    route_.latency = Time::from_ps(network_.duration(source, destination, Bytes(0)));
    return route_;
  }
  double most(int source, int destination) override {
    return speeds_.bytes_per_ns(static_cast<std::size_t>(network_.carrying_dimension(source, destination)));
  }

 private:
  std::size_t dimension(LinkId link) const { return static_cast<std::size_t>(map_.dimension(link.value())); }

  const AnalyticalNetwork& network_;
  LinkMap map_;
  LinkSpeeds speeds_;
  Route route_;
};

ProductFactor::Form form_of(Block block) {
  switch (block) {
    case Block::ring:
      return ProductFactor::Form::circle;
    case Block::fully_connected:
      return ProductFactor::Form::full;
    case Block::switched:
      return ProductFactor::Form::star;
  }
  unreachable("every block has a form");
}

NetworkProduct product_of(const Topology& topology, const Dialect& dialect) {
  const LinkSpeeds speeds(topology, dialect);
  NetworkProduct product;
  int devices = topology.npus();
  for (std::size_t d = 0; d < topology.dimensions.size(); ++d) {
    const Dimension& dimension = topology.dimensions[d];
    ProductFactor factor{form_of(dimension.block), dimension.size, {}};
    factor.cable.bandwidth = Bandwidth::from_gb_per_s(speeds.bytes_per_ns(d));
    factor.far_side_is_ahead = true;
    factor.both_ways_share = !dialect.one_link_per_message;
    factor.first_switch = devices;
    if (dimension.block == Block::switched && dimension.size > 1) devices += topology.npus() / dimension.size;
    product.push_back(factor);
  }
  return product;
}

// Adds the links of each dimension that no message passes; one of them stands for all. The routes of messages
// from the first `npus` NPUs pass links of every kind that is used.
void add_idle_links(SymmetricRoutes& routes, const LinkMap& map, const std::vector<PeerMessages>& messages,
                    int npus) {
  std::unordered_set<Link> used;
  for (int npu = 0; npu < npus; ++npu)
    for (const PeerMessages& some : messages) {
      HopCursor cursor = map.cursor(npu, some.receiver(npu));
      do used.insert(map.next_link(cursor));
      while (map.advance(cursor));
    }
  std::vector<std::uint64_t> idle = map.links_per_dimension();
  for (const SymmetricRoutes::Links& links : routes.links)
    idle[static_cast<std::size_t>(links.dimension)] -= links.count;
  for (std::size_t d = 0; d < idle.size(); ++d) {
    if (idle[d] == 0) continue;
    Link first = map.link(d, 0, 0);
    while (used.contains(first)) ++first;
    LinkMap::Ends ends = map.ends(first);
    routes.links.push_back({std::move(ends.from), std::move(ends.to), static_cast<int>(d), idle[d], 1});
  }
}

}  // namespace

std::optional<SymmetricRoutes> find_routes_of_dimensions(const Topology& topology, const Dialect& dialect,
                                                         const std::vector<PeerMessages>& messages) {
  const auto network = std::make_shared<const AnalyticalNetwork>(topology, dialect);
  std::optional<SymmetricRoutes> routes = find_product_routes(product_of(topology, dialect), messages);
  const bool from_npu_0 = routes.has_value();
  if (!routes) {
    DimensionLinks links(topology, dialect, *network);
    routes = refine_link_symmetry(links, topology.npus(), messages);
  }
  if (!routes) return std::nullopt;
  add_idle_links(*routes, LinkMap(topology, dialect.one_link_per_message), messages,
                 from_npu_0 ? 1 : topology.npus());
  routes->shows_idle_links = true;
  routes->alone = [network](int destination, Bytes bytes) {
    return Time::from_ps(network->duration(0, destination, bytes));
  };
  return routes;
}

}  // namespace orrery::core
