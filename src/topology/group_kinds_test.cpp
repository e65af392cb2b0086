#include "topology/group_kinds.hpp"

#include <gtest/gtest.h>

namespace orrery::core::group_kinds_test {
namespace {

// Columns of four in a machine of three columns; NPU = column + 3 * row.
constexpr LogicalDimension stacks{3, 4, 1};

TEST(GroupKinds, GroupsWithEqualSlowLinksAtEqualPlacesAreOfOneKind) {
  std::vector<double> slowdown(12, 1.0);
  slowdown[1] = slowdown[2] = 2;  // the heads of columns 1 and 2
  const GroupKinds kinds(stacks, stacks, slowdown);
  ASSERT_EQ(kinds.count(), 2u);
  EXPECT_EQ(kinds.of(9), 0u);
  EXPECT_EQ(kinds.of(10), 1u);
  EXPECT_EQ(kinds.of(11), 1u);
  EXPECT_TRUE(kinds.even(0));
  EXPECT_FALSE(kinds.even(1));
  EXPECT_EQ(kinds.base(1), 1);
  slowdown[2] = 3;
  EXPECT_EQ(GroupKinds(stacks, stacks, slowdown).count(), 3u);
  slowdown[2] = 1;
  slowdown[5] = 2;  // another place in its column
  EXPECT_EQ(GroupKinds(stacks, stacks, slowdown).count(), 3u);
}

TEST(GroupKinds, AGroupOfEquallySlowMembersIsEven) {
  std::vector<double> slowdown(12, 1.0);
  for (int row = 0; row < 4; ++row) slowdown[static_cast<std::size_t>(2 + 3 * row)] = 1.5;
  const GroupKinds kinds(stacks, stacks, slowdown);
  EXPECT_EQ(kinds.count(), 2u);
  EXPECT_TRUE(kinds.all_even());
}

// Messages within one half of a ring may pass the links of the other one.
TEST(GroupKinds, PartsOfARingAreToldApartByAllOfIt) {
  std::vector<double> slowdown(12, 1.0);
  slowdown[9] = 2;  // in the second half of column 0
  const GroupKinds halves({3, 2, 1}, stacks, slowdown);
  EXPECT_EQ(halves.count(), 3u);
  EXPECT_NE(halves.of(0), halves.of(9));
  EXPECT_EQ(halves.of(1), halves.of(10));
  EXPECT_NE(halves.of(0), halves.of(1));
}

TEST(GroupKinds, WithoutSlowLinksThereIsOne) {
  const GroupKinds kinds(true);
  EXPECT_EQ(kinds.count(), 1u);
  EXPECT_EQ(kinds.of(7), 0u);
  EXPECT_TRUE(kinds.all_even());
}

}  // namespace
}  // namespace orrery::core::group_kinds_test
