#include "base/units/typed_id.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>
#include <vector>

namespace orrery::core::typed_id_test {
namespace {

using RoadId = TypedId<struct RoadTag>;
using TownId = TypedId<struct TownTag>;

TEST(TypedId, IsAsSmallAsItsNumberAndIsTakenForNothingElse) {
  static_assert(sizeof(RoadId) == 4 && std::is_trivially_copyable_v<RoadId>);
  static_assert(!std::is_convertible_v<int, RoadId> && !std::is_convertible_v<RoadId, std::uint32_t>);
  static_assert(!std::is_constructible_v<RoadId, TownId> && !std::is_assignable_v<RoadId&, TownId>);
  static_assert(RoadId(7).value() == 7 && RoadId(7).index() == 7 && RoadId() == RoadId(0));
}

TEST(TypedId, IsOrderedByItsNumber) {
  static_assert(RoadId(2) == RoadId(2) && RoadId(2) != RoadId(3) && RoadId(2) < RoadId(10));
  EXPECT_GT(RoadId::none, RoadId(0xfffffffe));
  const std::unordered_set<RoadId> roads{RoadId(1), RoadId(2), RoadId(1)};
  EXPECT_EQ(roads.size(), 2u);
  EXPECT_TRUE(roads.contains(RoadId(2)));
}

TEST(TypedId, LoopsGoOverTheFirstOnes) {
  std::vector<RoadId> roads;
  for (const RoadId road : first_ids<RoadId>(3)) roads.push_back(road);
  EXPECT_EQ(roads, (std::vector{RoadId(0), RoadId(1), RoadId(2)}));
  for (const RoadId road : first_ids<RoadId>(0)) ADD_FAILURE() << road.value();
}

}  // namespace
}  // namespace orrery::core::typed_id_test
