// A network costs dollars for its links, switches and NICs, by packaging (docs/models/network-analytical.md,
// Cost of a network).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "topology/topology.hpp"

namespace orrery::core {

// Prices in dollars per GiB/s.
struct Prices {
  double link, switch_port, nic;
};

Prices prices_of(Packaging packaging);

struct CostItem {
  int dimension;
  std::string_view component;  // "link", "switch", "nic"
  long long count;
  long long radix;
  double cost;
};

// Returns the items of a network's cost. There are none for a graph.
std::vector<CostItem> network_cost_items(const Topology& topology);

// Returns the sum of the items' costs, or what graph_cost() says of a graph. There is none if prices are not
// known.
std::optional<double> network_cost(const Topology& topology);

}  // namespace orrery::core
