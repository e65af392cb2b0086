// Two complementary binary trees over the members; chunks alternate between them.
// Sanders, Speck and Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009.
#include <bit>

#include "collective/schedule.hpp"

namespace orrery {

namespace {

// Tree label of a node's parent; labels run from 0 to n, one of the two ends being the root.
std::uint32_t parent_label(std::uint32_t label, std::uint32_t n, std::uint32_t root) {
  if (label == n / 2) return root;
  const std::uint32_t step = 1u << std::countr_zero(label);
  return (label + step) / (2 * step) % 2 == 1 ? label + step : label - step;
}

}  // namespace

TreeSchedule make_double_binary_tree(const PhaseRequest& request) {
  const std::uint32_t n = request.members;
  if (!std::has_single_bit(n)) {
    throw InputError(request.where,
                     "the double binary tree needs a power of two of NPUs in its dimension, not " +
                         std::to_string(n) + ", choose ring or direct");
  }
  // The first tree's labels are positions + 1 with root n, the second's are positions with root 0.
  const std::uint32_t first_label = request.odd_tree ? 0 : 1;
  const std::uint32_t root = request.odd_tree ? 0 : n;
  auto position = [&](std::uint32_t label) { return static_cast<std::int32_t>(label - first_label); };

  TreeSchedule tree;
  tree.bytes = request.input;
  tree.nodes.resize(n);
  for (std::uint32_t p = 0; p < n; ++p) {
    const std::uint32_t label = p + first_label;
    TreeSchedule::Node& node = tree.nodes[p];
    if (label == root) {
      node.left = position(n / 2);
      continue;
    }
    node.parent = position(parent_label(label, n, root));
    if (label % 2 == 1) continue;  // a leaf
    const std::uint32_t half = 1u << (std::countr_zero(label) - 1);
    node.left = position(label - half);
    node.right = position(label + half);
  }
  return tree;
}

}  // namespace orrery
