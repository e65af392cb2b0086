#include "network/analytical/cost_model.hpp"

#include "base/diagnostics/unreachable.hpp"
#include "network/analytical/graph_cost.hpp"

namespace orrery::core {

Prices prices_of(Packaging packaging) {
  switch (packaging) {
    case Packaging::tile:
      return {1.0, 0, 0};  // switches on a tile are refused where topologies are read
    case Packaging::package:
      return {4.0, 13.0, 0};
    case Packaging::node:
      return {4.0, 13.0, 0};
    case Packaging::pod:
      return {7.4, 23.7, 47.8};
  }
  unreachable("every packaging has prices");
}

std::vector<CostItem> network_cost_items(const Topology& topology) {
  std::vector<CostItem> items;
  if (topology.graph) return items;
  const long long npus = topology.npus();
  long long below = 1;  // NPUs in one group of this and all lower dimensions
  for (int d = 0; d < static_cast<int>(topology.dimensions.size()); ++d) {
    const Dimension& dimension = topology.dimensions[d];
    const Prices prices = prices_of(dimension.packaging);
    const double bandwidth = dimension.link_bandwidth.gib_per_s();
    const long long size = dimension.size, links = dimension.links;
    below *= size;
    auto add = [&](std::string_view component, double price, long long count, long long radix) {
      items.push_back({d, component, count, radix,
                       price * static_cast<double>(count) * bandwidth * static_cast<double>(radix)});
    };
    switch (dimension.block) {
      case Block::ring:
        add("link", prices.link, npus / size * size * (links / 2), 1);
        break;
      case Block::fully_connected:
        add("link", prices.link, npus / size * (size * (size - 1) / 2) * (links / (size - 1)), 1);
        break;
      case Block::switched:
        add("link", prices.link, npus / below * (below * links), 1);
        add("switch", prices.switch_port, npus / below, below * links);
        add("nic", prices.nic, npus / below * (below * links), 1);
        break;
    }
  }
  return items;
}

std::optional<double> network_cost(const Topology& topology) {
  if (topology.graph) return graph_cost(topology.graph);
  double sum = 0;
  for (const CostItem& item : network_cost_items(topology)) sum += item.cost;
  return sum;
}

}  // namespace orrery::core
