#include "network/analytical/graph_cost.hpp"

#include <map>
#include <utility>
#include <vector>

#include "network/analytical/cost_model.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

namespace {

bool has_nics(const NetworkGraph& graph) {
  for (const NodeId id : graph.all_nodes())
    if (graph.node(id).kind == NodeKind::nic) return true;
  return false;
}

// Between a NIC and a switch, or another NIC, a machine ends.
bool leaves_machine(NodeKind from, NodeKind to) {
  const auto is_outside = [](NodeKind kind) {
    return kind == NodeKind::nic || kind == NodeKind::network_switch;
  };
  return (from == NodeKind::nic && is_outside(to)) || (to == NodeKind::nic && is_outside(from));
}

// Returns, by node, whether it is in a machine: whether a way from an NPU leads to it that passes no port of
// a NIC.
std::vector<bool> nodes_in_machines(const NetworkGraph& graph) {
  std::vector<bool> inside(graph.nodes());
  std::vector<NodeId> open;
  const auto reach = [&](NodeId node) {
    if (inside[node.index()]) return;
    inside[node.index()] = true;
    open.push_back(node);
  };
  for (const NodeId id : graph.all_nodes())
    if (graph.node(id).kind == NodeKind::npu) reach(id);
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const LinkId id : graph.links_from(node)) {
      const NodeId to = graph.link(id).to;
      if (!leaves_machine(graph.node(node).kind, graph.node(to).kind)) reach(to);
    }
  }
  return inside;
}

// Returns dollars per GiB/s of a cable with what it is plugged into. PCIe, and what joins CPUs, belongs to a
// machine that one has anyway.
double price_of(NodeKind from, NodeKind to, const Prices& prices) {
  double price = prices.link;
  for (const NodeKind kind : {from, to}) {
    if (kind == NodeKind::cpu || kind == NodeKind::pcie_switch) return 0;
    if (kind == NodeKind::network_switch) price += prices.switch_port;
    if (kind == NodeKind::nic) price += prices.nic;
  }
  return price;
}

}  // namespace

std::optional<double> graph_cost(const LazyGraph& lazy) {
  if (lazy.product() != nullptr) return std::nullopt;  // it has no NICs, and its nodes need not be made
  const NetworkGraph& graph = *lazy;
  if (!has_nics(graph)) return std::nullopt;
  const std::vector<bool> inside = nodes_in_machines(graph);
  const Prices within = prices_of(Packaging::node), between = prices_of(Packaging::pod);
  // By price and bandwidth, so that networks of the same parts cost the same to the last bit.
  std::map<std::pair<double, double>, long long> directions;
  for (const LinkId id : graph.all_links()) {
    const NetworkLink& link = graph.link(id);
    const NodeKind from = graph.node(link.from).kind, to = graph.node(link.to).kind;
    const bool outside = leaves_machine(from, to) || !inside[link.from.index()] || !inside[link.to.index()];
    if (!outside && (from == NodeKind::nic || to == NodeKind::nic)) continue;  // PCIe without a switch
    ++directions[{price_of(from, to, outside ? between : within), link.bandwidth.gib_per_s()}];
  }
  double cost = 0;
  for (const auto& [part, count] : directions)
    cost += part.first * part.second * static_cast<double>(count) / 2;  // a cable has two directions
  return cost;
}

}  // namespace orrery::core
