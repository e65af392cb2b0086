#include "topology/rank_classes.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "support/ids.hpp"

namespace orrery::core::rank_classes_test {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Neither is taken for the other, nor for a count, and both are as small as a number.
static_assert(!std::is_constructible_v<ClassId, RankId> && !std::is_constructible_v<RankId, ClassId>);
static_assert(!std::is_convertible_v<std::uint32_t, RankId> &&
              !std::is_convertible_v<ClassId, std::uint32_t>);
static_assert(sizeof(RankId) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<RankId>);

Numbers members(const ClassGroups& groups, std::uint32_t group) {
  return test::numbers_of(groups.members(group));
}

TEST(RankClasses, KnowTheirLowestRankAndSize) {
  const RankClasses classes(test::ids<ClassId>({0, 1, 0, 2, 1, 0}));
  EXPECT_EQ(classes.ranks(), 6u);
  EXPECT_EQ(classes.count(), 3u);
  EXPECT_EQ(classes.class_of(RankId(4)), ClassId(1));
  EXPECT_EQ(classes.representative(ClassId(2)), RankId(3));
  EXPECT_EQ(classes.size(ClassId(0)), 3u);
}

TEST(RankClasses, AllEqualAndAllDistinct) {
  const RankClasses equal = RankClasses::all_equal(1'000'000), distinct = RankClasses::all_distinct(8);
  EXPECT_EQ(equal.class_of(RankId(999'999)), ClassId(0));
  EXPECT_EQ(equal.size(ClassId(0)), 1'000'000u);
  EXPECT_FALSE(equal.distinct());
  EXPECT_EQ(distinct.class_of(RankId(7)), ClassId(7));
  EXPECT_EQ(distinct.representative(ClassId(7)), RankId(7));
}

TEST(ClassGroups, OfDistinctRanksAreTheDimensions) {
  const RankClasses classes = RankClasses::all_distinct(6);
  const ClassGroups groups(classes, {2, 3, 1});  // 0 2 4 and 1 3 5
  ASSERT_EQ(groups.count(), 2u);
  EXPECT_EQ(members(groups, groups.group_of(ClassId(3))), (Numbers{1, 3, 5}));
}

// A 3 x 3 machine with one rank, 4, that is slow: itself, its row, its column, and the rest.
TEST(ClassGroups, CountGroupsOfTheSameClassesOnce) {
  const RankClasses classes(test::ids<ClassId>({0, 1, 0, 2, 3, 2, 0, 1, 0}));
  const ClassGroups rows(classes, {1, 3, 0}), columns(classes, {3, 3, 1});
  ASSERT_EQ(rows.count(), 2u);
  EXPECT_EQ(members(rows, rows.group_of(ClassId(3))), (Numbers{2, 3}));
  EXPECT_EQ(members(rows, rows.group_of(ClassId(0))), (Numbers{0, 1}));
  EXPECT_EQ(members(columns, columns.group_of(ClassId(3))), (Numbers{1, 3}));
  EXPECT_EQ(columns.group_of(ClassId(0)), columns.group_of(ClassId(2)));
}

}  // namespace
}  // namespace orrery::core::rank_classes_test
