#include "topology/channels/reduction.hpp"

#include <algorithm>
#include <map>

namespace orrery::core {
namespace {

constexpr std::uint32_t unreached = 0xffffffff;

// Returns the distances to a port along switches that reduce.
std::vector<std::uint32_t> distances_to(const NetworkGraph& graph, NodeId port) {
  std::vector<std::uint32_t> left(graph.nodes(), unreached);
  left[port.index()] = 0;
  std::vector<NodeId> queue{port};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const LinkId link : graph.links_to(queue[i])) {
      const NodeId before = graph.link(link).from;
      if (left[before.index()] != unreached || !graph.node(before).reduces) continue;
      left[before.index()] = left[queue[i].index()] + 1;
      queue.push_back(before);
    }
  return left;
}

// Returns the switches whose way to the farthest port is shortest.
std::vector<NodeId> roots_of(const NetworkGraph& graph, const std::vector<NodeId>& ports) {
  std::vector<std::uint32_t> farthest(graph.nodes());
  for (const NodeId port : ports) {
    const std::vector<std::uint32_t> left = distances_to(graph, port);
    for (const NodeId node : graph.all_nodes())
      farthest[node.index()] = std::max(farthest[node.index()], left[node.index()]);
  }
  std::vector<NodeId> roots;
  std::uint32_t least = unreached;
  for (const NodeId node : graph.all_nodes()) {
    if (!graph.node(node).reduces || farthest[node.index()] > least || farthest[node.index()] == unreached)
      continue;
    if (farthest[node.index()] < least) roots.clear();
    least = farthest[node.index()];
    roots.push_back(node);
  }
  return roots;
}

}  // namespace

std::vector<ReducingSwitch> reducing_switches(const NetworkGraph& graph, const Host& host) {
  std::map<NodeId, std::vector<double>> bandwidth;  // of each GPU, by switch
  for (std::size_t gpu = 0; gpu < host.gpus.size(); ++gpu)
    for (const LinkId id : graph.links_from(host.gpus[gpu])) {
      const NetworkLink& link = graph.link(id);
      if (!link.striped || graph.node(link.to).kind != NodeKind::network_switch) continue;
      std::vector<double>& of_gpus = bandwidth[link.to];
      of_gpus.resize(host.gpus.size());
      of_gpus[gpu] += link.bandwidth.bytes_per_ns();
    }
  std::vector<ReducingSwitch> switches;
  double sum = 0;
  for (const auto& [node, of_gpus] : bandwidth) {
    const double least = std::ranges::min(of_gpus);
    if (!graph.node(node).reduces || least == 0) return {};
    switches.push_back({node, least});
    sum += least;
  }
  for (ReducingSwitch& one : switches) one.share /= sum;
  return switches;
}

std::vector<ReductionEdge> reduction_tree(const NetworkGraph& graph, const std::vector<NodeId>& ports,
                                          std::size_t number) {
  const std::vector<NodeId> roots = roots_of(graph, ports);
  if (roots.empty()) return {};
  // The search goes from the root down, breadth first: each node hangs below the one from which it was
  // reached.
  std::vector<NodeId> above(graph.nodes(), NodeId::none);
  std::vector<NodeId> queue{roots[number % roots.size()]};
  std::vector<bool> reached(graph.nodes());
  reached[queue[0].index()] = true;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const LinkId id : graph.links_from(queue[i])) {
      const NodeId node = graph.link(id).to;
      if (reached[node.index()]) continue;
      reached[node.index()] = true;
      above[node.index()] = queue[i];
      if (graph.node(node).reduces) queue.push_back(node);
    }
  std::vector<ReductionEdge> edges;
  std::vector<bool> in_tree(graph.nodes());
  for (const NodeId port : ports) {
    std::vector<ReductionEdge> route;
    for (NodeId node = port; above[node.index()] != NodeId::none && !in_tree[node.index()];
         node = above[node.index()]) {
      in_tree[node.index()] = true;
      route.push_back({node, above[node.index()]});
    }
    edges.insert(edges.end(), route.rbegin(), route.rend());
  }
  return edges;
}

}  // namespace orrery::core
