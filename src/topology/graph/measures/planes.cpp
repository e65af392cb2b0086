#include "topology/graph/measures/planes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace orrery::core {
namespace {

// Nodes that forward and are linked with each other belong to one set. One of them stands for the set. NPUs
// may count as if they did not forward.
class ForwardingSets {
 public:
  ForwardingSets(const NetworkGraph& graph, bool npus_forward)
      : graph_(graph), npus_forward_(npus_forward), parents_(graph.nodes()) {
    std::iota(parents_.begin(), parents_.end(), NodeId(0));
    for (const LinkId id : graph.all_links()) {
      const NetworkLink& link = graph.link(id);
      if (forwards(link.from) && forwards(link.to)) parents_[find(link.from).index()] = find(link.to);
    }
  }

  bool forwards(NodeId node) const {
    return graph_.node(node).forwards && (npus_forward_ || graph_.node(node).kind != NodeKind::npu);
  }

  NodeId find(NodeId node) {
    while (parents_[node.index()] != node)
      node = parents_[node.index()] = parents_[parents_[node.index()].index()];
    return node;
  }

 private:
  const NetworkGraph& graph_;
  bool npus_forward_;
  std::vector<NodeId> parents_;
};

}  // namespace

NetworkPlanes::NetworkPlanes(const NetworkGraph& graph, bool npus_forward) : of_link_(graph.links()) {
  ForwardingSets sets(graph, npus_forward);
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> numbers;  // by set, or by both ends of a direct link
  for (const LinkId id : graph.all_links()) {
    const NetworkLink& link = graph.link(id);
    const bool leaves = sets.forwards(link.from), arrives = sets.forwards(link.to);
    std::pair<NodeId, NodeId> key = std::minmax(link.from, link.to);
    if (leaves || arrives) key.first = key.second = sets.find(leaves ? link.from : link.to);
    const auto [plane, is_new] = numbers.try_emplace(key, static_cast<std::uint32_t>(planes_.size()));
    if (is_new) planes_.emplace_back();
    of_link_[id.index()] = plane->second;
    NetworkPlane& made = planes_[plane->second];
    made.links.push_back(id);
    made.striped = made.striped && link.striped;
    if (leaves && arrives) made.only_at_npus = false;
    for (const NodeId end : {link.from, link.to})
      if (graph.node(end).kind == NodeKind::npu) made.npus.push_back(end);
  }
  for (NetworkPlane& plane : planes_) {
    std::ranges::sort(plane.npus);
    plane.npus.erase(std::unique(plane.npus.begin(), plane.npus.end()), plane.npus.end());
  }
}

std::vector<bool> links_between_groups(const NetworkGraph& graph, int size) {
  bool has_switches = false;
  for (NodeId node(graph.npus()); node.index() < graph.nodes() && !has_switches; ++node)
    has_switches = graph.node(node).kind == NodeKind::network_switch;
  const NetworkPlanes planes(graph, !has_switches);
  const auto group_of = [&](NodeId npu) { return npu.index() / static_cast<std::size_t>(size); };
  std::vector<bool> between(graph.links());
  std::size_t count = 0;
  for (std::uint32_t number = 0; number < planes.size(); ++number) {
    const std::vector<NodeId>& npus = planes[number].npus;
    if (npus.empty() || group_of(npus.front()) == group_of(npus.back())) continue;
    for (const LinkId link : planes[number].links) between[link.index()] = true;
    count += planes[number].links.size();
  }
  if (count == 0 || count == between.size()) return {};
  return between;
}

}  // namespace orrery::core
