#include "collective/algorithms/tree_classes.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "network/analytical/analytical_network.hpp"

namespace orrery::core::tree_classes_test {
namespace {

Topology machine_of_one(Block block, int size) {
  Dimension dimension;
  dimension.block = block;
  dimension.size = size;
  dimension.links = block == Block::ring ? 2 : 1;
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
  Topology topology;
  topology.dimensions = {dimension};
  return topology;
}

TreeClasses classes_of(const Topology& topology, bool odd, const std::vector<SlowLinks>& slow = {}) {
  const AnalyticalNetwork network(topology, native_dialect, slow);
  const int size = topology.npus();
  return {{static_cast<std::uint32_t>(size), odd, Bytes(8)}, {1, size, 0}, 0, network};
}

// Behind a switch all messages take equally long, so only the height in the tree tells positions apart.
TEST(TreeClasses, OfALevelAreOneClassBehindASwitch) {
  const TreeClasses classes = classes_of(machine_of_one(Block::switched, 64), true);
  EXPECT_EQ(classes.classes().size(), 7u);  // six levels and the root
  for (std::uint32_t x = 2; x < 64; ++x)
    EXPECT_EQ(classes.of(x) == classes.of(1), std::countr_zero(x) == 0) << x;
  EXPECT_EQ(classes.of(12), classes.of(4));
  EXPECT_EQ(classes.classes()[classes.of(12)].parent, classes.of(8));
  EXPECT_EQ(classes.classes()[classes.of(12)].left, classes.of(2));
}

TEST(TreeClasses, ParentsComeBeforeTheirChildren) {
  for (const bool odd : {false, true}) {
    const TreeClasses classes = classes_of(machine_of_one(Block::ring, 32), odd, {{0, {3, 20}, 2}});
    for (std::uint32_t c = 1; c < classes.classes().size(); ++c) {
      EXPECT_LT(classes.classes()[c].parent, c);
      EXPECT_EQ(classes.of(classes.classes()[c].position), c);
    }
  }
}

// NPU 3 is a leaf of the second tree; its parent 2 waits for it, and so does all above. Others that hang
// there have a parent of a class of its own.
TEST(TreeClasses, ASlowLinkTellsTheWayToTheRootApart) {
  const TreeClasses classes = classes_of(machine_of_one(Block::switched, 16), true, {{0, {3}, 2}});
  EXPECT_NE(classes.of(3), classes.of(1));
  EXPECT_NE(classes.of(2), classes.of(6));
  EXPECT_NE(classes.of(4), classes.of(12));
  EXPECT_EQ(classes.of(10), classes.of(14));
  EXPECT_EQ(classes.of(9), classes.of(15));
  EXPECT_NE(classes.of(5), classes.of(9));
}

TEST(TreeClasses, AMillionPositionsAreFew) {
  EXPECT_EQ(classes_of(machine_of_one(Block::switched, 1 << 20), false).classes().size(), 21u);
}

}  // namespace
}  // namespace orrery::core::tree_classes_test
