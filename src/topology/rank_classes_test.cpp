#include "topology/rank_classes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::rank_classes_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers members(const ClassGroups& groups, std::uint32_t group) {
  const auto found = groups.members(group);
  return {found.begin(), found.end()};
}

TEST(RankClasses, KnowTheirLowestRankAndSize) {
  const RankClasses classes(Numbers{0, 1, 0, 2, 1, 0});
  EXPECT_EQ(classes.ranks(), 6u);
  EXPECT_EQ(classes.count(), 3u);
  EXPECT_EQ(classes.class_of(4), 1u);
  EXPECT_EQ(classes.representative(2), 3u);
  EXPECT_EQ(classes.size(0), 3u);
}

TEST(RankClasses, AllEqualAndAllDistinct) {
  const RankClasses equal = RankClasses::all_equal(1'000'000), distinct = RankClasses::all_distinct(8);
  EXPECT_EQ(equal.class_of(999'999), 0u);
  EXPECT_EQ(equal.size(0), 1'000'000u);
  EXPECT_FALSE(equal.distinct());
  EXPECT_EQ(distinct.class_of(7), 7u);
  EXPECT_EQ(distinct.representative(7), 7u);
}

TEST(ClassGroups, OfDistinctRanksAreTheDimensions) {
  const RankClasses classes = RankClasses::all_distinct(6);
  const ClassGroups groups(classes, {2, 3, 1});  // 0 2 4 and 1 3 5
  ASSERT_EQ(groups.count(), 2u);
  EXPECT_EQ(members(groups, groups.group_of(3)), (Numbers{1, 3, 5}));
}

// A 3 x 3 machine with one rank, 4, that is slow: itself, its row, its column, and the rest.
TEST(ClassGroups, CountGroupsOfTheSameClassesOnce) {
  const RankClasses classes(Numbers{0, 1, 0, 2, 3, 2, 0, 1, 0});
  const ClassGroups rows(classes, {1, 3, 0}), columns(classes, {3, 3, 1});
  ASSERT_EQ(rows.count(), 2u);
  EXPECT_EQ(members(rows, rows.group_of(3)), (Numbers{2, 3}));
  EXPECT_EQ(members(rows, rows.group_of(0)), (Numbers{0, 1}));
  EXPECT_EQ(members(columns, columns.group_of(3)), (Numbers{1, 3}));
  EXPECT_EQ(columns.group_of(0), columns.group_of(2));
}

}  // namespace
}  // namespace orrery::rank_classes_test
