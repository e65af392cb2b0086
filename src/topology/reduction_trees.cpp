#include "topology/reduction_trees.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "topology/channels/reduction.hpp"
#include "topology/dimension_switches.hpp"

namespace orrery::core {
namespace {

using Found = std::variant<ReductionTrees, std::string>;

Found in_dimension(const Topology& topology, const LogicalDimension& group) {
  if (group.physical < 0)
    return "the algorithm spans several dimensions, whose NPUs have no one switch in common";
  const auto physical = static_cast<std::size_t>(group.physical);
  const Dimension& dimension = topology.dimensions[physical];
  if (dimension.block != Block::switched)
    return fmt::format("dimension `{}` is {}, without a switch that could add up", dimension.name,
                       dimension.block == Block::ring ? "a ring" : "fully connected");
  ReductionTrees found{
      {{1, std::vector<std::uint32_t>(static_cast<std::size_t>(group.size)), {0}}}, group, {}};
  const DimensionSwitches switches(topology);
  found.devices.resize(static_cast<std::size_t>(topology.npus() / group.size));
  for (int npu = 0; npu < topology.npus(); ++npu)
    if (group.position(npu) == 0)
      found.devices[static_cast<std::size_t>(group.group(npu))] = switches.over(physical, npu);
  return found;
}

struct TreesOfGroup {
  std::vector<ReductionTree> trees;
  std::vector<int> devices;
};

// Returns the switches that reduce and have a link to each of the members, which share the bytes as their
// bandwidths allow.
TreesOfGroup joined_switches(const NetworkGraph& graph, const std::vector<NodeId>& members) {
  std::map<NodeId, std::vector<double>> bandwidth;  // of each member, by switch
  for (std::size_t i = 0; i < members.size(); ++i)
    for (const LinkId id : graph.links_from(members[i])) {
      const NetworkLink& link = graph.link(id);
      if (!graph.node(link.to).reduces) continue;
      std::vector<double>& of_members = bandwidth[link.to];
      of_members.resize(members.size());
      of_members[i] += link.bandwidth.bytes_per_ns();
    }
  TreesOfGroup found;
  double sum = 0;
  for (const auto& [node, of_members] : bandwidth) {
    const double least = std::ranges::min(of_members);
    if (least == 0) continue;
    found.trees.push_back({least, std::vector<std::uint32_t>(members.size()), {0}});
    found.devices.push_back(static_cast<int>(node.value()));
    sum += least;
  }
  for (ReductionTree& tree : found.trees) tree.share /= sum;
  return found;
}

// Returns the nodes at which members of different machines enter the fabric: their NICs, or the members
// themselves where they have links to a switch of the fabric. Each member has the nearest one.
std::vector<NodeId> ports_of(const NetworkGraph& graph, const std::vector<NodeId>& members) {
  std::vector<NodeId> ports;
  for (const NodeId member : members) {
    std::vector<NodeId> queue{member};
    std::vector<bool> reached(graph.nodes());
    reached[member.index()] = true;
    NodeId port = member;
    for (std::size_t i = 0; i < queue.size() && port == member; ++i)
      for (const LinkId id : graph.links_from(queue[i])) {
        const NodeId next = graph.link(id).to;
        const NodeKind kind = graph.node(next).kind;
        if (reached[next.index()] || kind == NodeKind::npu || kind == NodeKind::network_switch) continue;
        reached[next.index()] = true;
        queue.push_back(next);
        if (kind == NodeKind::nic && port == member) port = next;
      }
    ports.push_back(port);
  }
  return ports;
}

TreesOfGroup tree_of_switches(const NetworkGraph& graph, const std::vector<NodeId>& members,
                              std::size_t number) {
  const std::vector<NodeId> ports = ports_of(graph, members);
  TreesOfGroup found;
  ReductionTree tree{1, std::vector<std::uint32_t>(members.size()), {}};
  std::map<NodeId, std::uint32_t> number_of;
  const auto switch_number = [&](NodeId node, std::uint32_t above) {
    const auto [known, is_new] = number_of.try_emplace(node, static_cast<std::uint32_t>(tree.above.size()));
    if (is_new) {
      tree.above.push_back(above);
      found.devices.push_back(static_cast<int>(node.value()));
    }
    return known->second;
  };
  for (const ReductionEdge& edge : reduction_tree(graph, ports, number)) {  // from the top down
    const std::uint32_t above = switch_number(edge.above, 0);
    if (graph.node(edge.below).reduces) {
      switch_number(edge.below, above);
      continue;
    }
    for (std::size_t i = 0; i < ports.size(); ++i)
      if (ports[i] == edge.below) tree.of_member[i] = above;
  }
  if (!tree.above.empty()) found.trees.push_back(std::move(tree));
  return found;
}

Found in_graph(const Topology& topology, const LogicalDimension& group) {
  const NetworkGraph& graph = *topology.graph;
  const int npus = topology.npus();
  ReductionTrees found{{}, group, {}};
  for (int npu = 0; npu < npus; ++npu) {
    if (group.position(npu) != 0) continue;
    std::vector<NodeId> members;
    for (int i = 0; i < group.size; ++i)
      members.push_back(NodeId(static_cast<std::uint32_t>(npu + i * group.stride)));
    const auto number = static_cast<std::size_t>(group.group(npu));
    TreesOfGroup of_group = joined_switches(graph, members);
    if (of_group.trees.empty()) of_group = tree_of_switches(graph, members, number);
    if (of_group.trees.empty())
      return fmt::format(
          "no tree of switches that reduce joins {} and the others of its group: give the "
          "switches between them `reduction: true` or `reduces: true`",
          graph.node(members[0]).name);
    if (found.trees.empty()) {
      found.trees = of_group.trees;
      found.devices.resize(static_cast<std::size_t>(npus / group.size) * of_group.devices.size());
    }
    if (of_group.trees != found.trees)
      return fmt::format(
          "the group of {} hangs at switches in another way than that of {}, which is not "
          "supported",
          graph.node(members[0]).name, graph.node(NodeId(0)).name);
    std::ranges::copy(of_group.devices,
                      found.devices.begin() + static_cast<std::ptrdiff_t>(number * of_group.devices.size()));
  }
  return found;
}

}  // namespace

Found find_reduction_trees(const Topology& topology, const LogicalDimension& group) {
  return topology.graph ? in_graph(topology, group) : in_dimension(topology, group);
}

}  // namespace orrery::core
