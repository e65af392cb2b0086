#include "topology/graph/builders/switch_tree.hpp"

namespace orrery::core {
namespace {

using Tops = std::vector<NodeId>;

// Joins subtrees on a level, `together` at a time.
std::vector<Tops> add_level(GraphDraft& draft, const std::vector<Tops>& subtrees, std::size_t together,
                            const TreeLevel& level, std::string_view name, bool reduction) {
  std::vector<Tops> joined;
  for (std::size_t first = 0; first < subtrees.size(); first += together) {
    Tops& tops = joined.emplace_back();
    for (std::size_t below = 0; below < subtrees[first].size(); ++below)
      for (int i = 0; i < level.above; ++i) {
        tops.push_back(draft.add(NodeKind::network_switch, std::string(name), reduction, level.buffer));
        for (std::size_t subtree = first; subtree < first + together; ++subtree)
          draft.join(subtrees[subtree][below], tops.back(), level.link);
      }
  }
  return joined;
}

// Adds the hosts and the leaves of a group, one for all ports or one for each, and returns the hosts' ports.
Ports add_leaves(GraphDraft& draft, const SwitchTree& tree, std::vector<Tops>& leaves) {
  const std::size_t first = leaves.size();
  const int count = tree.rails == Rails::none ? 1 : tree.host.ports;
  const std::vector<Ports> hosts = add_hosts(draft, tree.host, tree.levels[0].size);
  for (int i = 0; i < count; ++i)
    leaves.push_back({draft.add(NodeKind::network_switch, "leaf", tree.reduction, tree.levels[0].buffer)});
  for (const Ports& ports : hosts)
    for (std::size_t port = 0; port < ports.size(); ++port)
      draft.join(ports[port], leaves[first + (count == 1 ? 0 : port)][0], tree.levels[0].link);
  return joined_ports(hosts);
}

}  // namespace

Ports add_switch_tree(GraphDraft& draft, const SwitchTree& tree) {
  std::size_t groups = 1;
  for (std::size_t level = 1; level < tree.levels.size(); ++level) groups *= tree.levels[level].size;
  Ports ports;
  std::vector<Tops> leaves;
  for (std::size_t group = 0; group < groups; ++group) {
    const Ports more = add_leaves(draft, tree, leaves);
    ports.insert(ports.end(), more.begin(), more.end());
  }
  const std::size_t trees = tree.rails == Rails::apart ? tree.host.ports : 1;
  for (std::size_t rail = 0; rail < trees; ++rail) {
    std::vector<Tops> subtrees;
    for (std::size_t leaf = rail; leaf < leaves.size(); leaf += trees) subtrees.push_back(leaves[leaf]);
    for (std::size_t level = 1; level < tree.levels.size(); ++level) {
      const std::size_t of_rails = level == 1 ? subtrees.size() / groups : 1;
      subtrees = add_level(draft, subtrees, of_rails * tree.levels[level].size, tree.levels[level],
                           tree_level_names[level], tree.reduction);
    }
  }
  return ports;
}

}  // namespace orrery::core
