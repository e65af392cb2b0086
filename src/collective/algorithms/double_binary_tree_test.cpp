// The expected trees follow from docs/models/collectives.md, Double binary tree.
#include <gtest/gtest.h>

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core::double_binary_tree_test {
namespace {

constexpr std::int32_t none = TreeSchedule::none;

TreeSchedule tree(std::uint32_t members, bool odd) {
  return std::get<TreeSchedule>(double_binary_tree_algorithm.make(
      PhaseRequest{CollectiveKind::reduce_scatter, Bytes(777), members, false, 0, odd, {"s.txt", 3, 1}}));
}

void expect_nodes(const TreeSchedule& tree, const std::vector<TreeSchedule::Node>& expected) {
  ASSERT_EQ(tree.members, expected.size());
  for (std::uint32_t p = 0; p < expected.size(); ++p) {
    EXPECT_EQ(tree.node(p).parent, expected[p].parent) << p;
    EXPECT_EQ(tree.node(p).left, expected[p].left) << p;
    EXPECT_EQ(tree.node(p).right, expected[p].right) << p;
  }
}

// Labels q = p + 1: root 8, below it 4 with 2 and 6, leaves are odd.
TEST(DoubleBinaryTree, MaxTreeOf8) {
  expect_nodes(tree(8, false), {{1, none, none},
                                {3, 0, 2},
                                {1, none, none},
                                {7, 1, 5},
                                {5, none, none},
                                {3, 4, 6},
                                {5, none, none},
                                {none, 3, none}});
}

// Labels q = p: root 0, otherwise as above.
TEST(DoubleBinaryTree, MinTreeOf8) {
  expect_nodes(tree(8, true), {{none, 4, none},
                               {2, none, none},
                               {4, 1, 3},
                               {2, none, none},
                               {0, 2, 6},
                               {6, none, none},
                               {4, 5, 7},
                               {6, none, none}});
}

TEST(DoubleBinaryTree, TwoMembersAreALeafAndARoot) {
  expect_nodes(tree(2, false), {{1, none, none}, {none, 0, none}});
  expect_nodes(tree(2, true), {{none, 1, none}, {0, none, none}});
}

TEST(DoubleBinaryTree, CarriesAllBytes) {
  EXPECT_EQ(tree(8, false).bytes, Bytes(777));
}

TEST(DoubleBinaryTree, ParentsAndChildrenAgreeAndReachTheRoot) {
  for (std::uint32_t n = 2; n <= 256; n *= 2) {
    for (bool odd : {false, true}) {
      const TreeSchedule schedule = tree(n, odd);
      const auto node = [&](std::int32_t p) { return schedule.node(static_cast<std::uint32_t>(p)); };
      const auto is_node = [&](std::int32_t p) { return p >= 0 && p < static_cast<std::int32_t>(n); };
      for (std::int32_t p = 0; is_node(p); ++p) {
        for (std::int32_t child : {node(p).left, node(p).right}) {
          if (child == none) continue;
          ASSERT_TRUE(is_node(child));
          EXPECT_EQ(node(child).parent, p);
        }
        std::uint32_t steps = 0;
        std::int32_t at = p;
        for (; node(at).parent != none && steps <= n; ++steps) at = node(at).parent;
        EXPECT_EQ(at, odd ? 0 : static_cast<std::int32_t>(n) - 1);
      }
    }
  }
}

// Two trees are worth while because a member that works in one rests in the other.
TEST(DoubleBinaryTree, EveryMemberIsALeafOfExactlyOneTree) {
  for (std::uint32_t n = 2; n <= 256; n *= 2) {
    const TreeSchedule first = tree(n, false), second = tree(n, true);
    for (std::uint32_t p = 0; p < n; ++p) {
      EXPECT_NE(first.node(p).left == none, second.node(p).left == none) << p << " of " << n;
    }
  }
}

TEST(DoubleBinaryTree, RefusesOtherThanPowersOfTwo) {
  for (std::uint32_t members : {3u, 6u, 12u}) EXPECT_THROW(tree(members, false), InputError);
}

}  // namespace
}  // namespace orrery::core::double_binary_tree_test
