#include "report/timeline/lanes.hpp"

#include <gtest/gtest.h>

namespace orrery::core::lanes_test {
namespace {

Interval from_to(std::int64_t start, std::int64_t end) {
  return {Time::from_ps(start), Time::from_ps(end)};
}

TEST(Lanes, OverlappingIntervalsHaveLanesOfTheirOwn) {
  Lanes lanes;
  EXPECT_EQ(lanes.place(from_to(0, 10)), 0u);
  EXPECT_EQ(lanes.place(from_to(1, 4)), 1u);
  EXPECT_EQ(lanes.place(from_to(2, 20)), 2u);
  EXPECT_EQ(lanes.place(from_to(4, 5)), 1u);    // where the second one has just ended
  EXPECT_EQ(lanes.place(from_to(10, 11)), 0u);  // both are free, and the first is taken
}

TEST(Lanes, AnIntervalWithoutLengthLeavesItsLaneFree) {
  Lanes lanes;
  EXPECT_EQ(lanes.place(from_to(3, 3)), 0u);
  EXPECT_EQ(lanes.place(from_to(3, 8)), 0u);
  EXPECT_EQ(lanes.place(from_to(3, 3)), 1u);
}

}  // namespace
}  // namespace orrery::core::lanes_test
