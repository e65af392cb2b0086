// Builds trees of switches for which a user gives the oversubscription. Every switch has as many links up as
// its links down and the oversubscription require, and `count` of them lead to each of its switches above.
#include <fmt/format.h>

#include <cmath>

#include "topology/graph/builders/network_builders.hpp"
#include "topology/graph/builders/switch_tree.hpp"
#include "topology/graph/switch_buffer.hpp"

namespace orrery::core {
namespace {

struct LevelMap : TreeLevel {
  std::optional<Cable> own_link;
  double oversubscription = 1;
};

struct TreeMap : HostsPart {
  std::optional<Cable> link;
  std::vector<LevelMap> levels;
  bool reduction = false;
};

constexpr Key<LevelMap> level_keys[] = {
    key::integer<&LevelMap::size>(
        "size", 1, max_in_group, "required",
        "for the first level, number of hosts below a leaf; for the others, how many groups of the level "
        "before it stand below the same switches; with rails, a leaf of each rail stands above the same "
        "hosts, and these are one group"),
    key::map<cable_keys, &LevelMap::own_link>(
        "link", "a link", "the network's",
        "link from what is below to the switches of this level; `count` cables lead to each of them"),
    key::real<&LevelMap::oversubscription>(
        "oversubscription", 0.001, 1e6, "1",
        "bandwidth into a switch below from its hosts' side, divided by the bandwidth of its links to this "
        "level; not for the first level")
        .better(Better::less)
        .hardware(),
    switch_buffer_key<&LevelMap::buffer>,
};

void read_levels(const InputNode& node, TreeMap& tree) {
  const std::vector<InputNode>& items = list_of(node, "levels");
  if (items.size() > max_tree_levels)
    throw InputError(node.where,
                     fmt::format("a tree has up to {} levels, not {}", max_tree_levels, items.size()));
  for (const InputNode& item : items) {
    LevelMap& level = tree.levels.emplace_back();
    read_map(item, "a level", level_keys, level);
    if (!level.own_link && !tree.link)
      throw InputError(item.where, "the level has no link: give it one here or in front of `levels`");
    level.link = level.own_link ? *level.own_link : *tree.link;
    const InputNode* ratio = item.find("oversubscription");
    if (ratio && tree.levels.size() == 1)
      throw InputError(
          ratio->where,
          "the links of hosts are not oversubscribed: give it to the level above, or leave it out");
  }
}

constexpr Key<TreeMap> tree_keys[] = {
    build_key,
    key::map<cable_keys, &TreeMap::link>("link", "a link", "the levels'",
                                         "link of all levels that have none of their own"),
    key::custom<read_levels>("levels", "list of 1 to 3", "required", "levels of switches, from the hosts up")
        .above(keys_of_list<level_keys>),
    reduction_key<&TreeMap::reduction>,
    inside_key,
};

// Returns how many links of a level lead down from each of its switches.
double links_down(const TreeMap& tree, std::size_t level, Rails rails) {
  const LevelMap& at = tree.levels[level];
  const double links = static_cast<double>(at.size) * at.link.count;
  const bool all_ports = (level == 0 && rails == Rails::none) || (level == 1 && rails == Rails::joined);
  return all_ports ? links * tree.host.ports : links;
}

// Finds the number of switches that each switch leads to on the level above. `map` says where the level
// stands.
void find_switches_above(TreeMap& tree, std::size_t level, Rails rails, const InputNode& map) {
  LevelMap& at = tree.levels[level];
  const LevelMap& below = tree.levels[level - 1];
  const double down = links_down(tree, level - 1, rails);
  const double up =
      down * below.link.bandwidth.bytes_per_ns() / (at.oversubscription * at.link.bandwidth.bytes_per_ns());
  const double above = std::round(up / at.link.count);
  if (above >= 1 && above <= max_in_group && std::abs(above * at.link.count - up) <= 1e-9 * up) {
    at.above = static_cast<int>(above);
    return;
  }
  throw InputError(
      map.where,
      fmt::format(
          "each {} has {:g} links down of {:g} GB/s, so an oversubscription of {:g} takes {:.6g} links up of "
          "{:g} GB/s, which is no multiple of `count` ({}): choose another `oversubscription`, `size` of the "
          "level below, `count` or `bandwidth`",
          tree_level_names[level - 1], down, below.link.bandwidth.bytes_per_ns(), at.oversubscription, up,
          at.link.bandwidth.bytes_per_ns(), at.link.count));
}

template <Rails rails>
NetworkPlan plan_tree(const InputNode& map, const Extensions& extensions) {
  TreeMap tree;
  tree.extensions = &extensions;
  read_map(map, "a tree", tree_keys, tree);
  const InputNode& levels = *map.find("levels");
  for (std::size_t level = 1; level < tree.levels.size(); ++level)
    find_switches_above(tree, level, rails, levels.items[level]);
  std::vector<int> sizes;
  for (const TreeLevel& level : tree.levels) sizes.push_back(level.size);
  NetworkPlan plan = tree.outer_plan(sizes, map);
  const bool rails_meet_in_hosts = tree.levels.size() == 1 || rails == Rails::apart;
  plan.npus_forward =
      plan.npus_forward || (rails != Rails::none && tree.host.ports > 1 && rails_meet_in_hosts);
  const SwitchTree shape{tree.host, {tree.levels.begin(), tree.levels.end()}, rails, tree.reduction};
  plan.add = [shape](GraphDraft& draft) { return add_switch_tree(draft, shape); };
  return plan;
}

std::vector<KeyPath> tree_key_paths() {
  return key_paths("", tree_keys);
}

}  // namespace

const NetworkBuilder fat_tree_builder{"fat-tree", tree_key_paths, plan_tree<Rails::none>};
const NetworkBuilder rail_optimized_builder{"rail-optimized", tree_key_paths, plan_tree<Rails::joined>};
const NetworkBuilder rail_only_builder{"rail-only", tree_key_paths, plan_tree<Rails::apart>};

}  // namespace orrery::core
