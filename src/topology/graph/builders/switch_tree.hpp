// Makes networks of hosts below levels of switches. In a fat tree all ports of a host lead to one leaf. Where
// the tree is built by rails, port r of every host leads to a leaf for ports r. Above the leaves the rails
// meet, or each rail has a tree of its own.
//
// The switches of a level that stand above the same hosts are a *subtree's tops*. On each next level, `size`
// subtrees are joined, and every top leads to `above` switches of its own there.
#pragma once

#include <string_view>
#include <vector>

#include "topology/graph/builders/network_plan.hpp"

namespace orrery::core {

enum class Rails { none, joined, apart };

struct TreeLevel {
  int size = 0;              // hosts below a leaf, or groups of the level before that are joined
  Cable link;                // link from what is below to the switches of this level
  int above = 1;             // number of switches of this level that each switch below, or port, leads to
  std::uint64_t buffer = 0;  // bytes of a switch's buffer; 0: as the settings of packets say
};

struct SwitchTree {
  NetworkPlan host;
  std::vector<TreeLevel> levels;  // from the leaves up
  Rails rails = Rails::none;
  bool reduction = false;  // whether the switches reduce
};

inline constexpr std::string_view tree_level_names[] = {"leaf", "spine", "core"};
inline constexpr std::size_t max_tree_levels = std::size(tree_level_names);

Ports add_switch_tree(GraphDraft& draft, const SwitchTree& tree);

}  // namespace orrery::core
