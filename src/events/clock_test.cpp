#include "events/clock.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orrery::core::clock_test {
namespace {

const Clock picoseconds(Clock::Mode::picoseconds);
const Clock binary64(Clock::Mode::binary64_nanoseconds);

TEST(Clock, CountsPicoseconds) {
  EXPECT_EQ(picoseconds.span(Time::from_ns(3)), 3000);
  EXPECT_EQ(picoseconds.span_of_ns(1.0006), 1001);  // 1000.6 ps
  EXPECT_EQ(picoseconds.span_of_ns(1.0004), 1000);
  EXPECT_EQ(picoseconds.add(3000, 1001), 4001);
  EXPECT_EQ(picoseconds.time(4001), Time::from_ps(4001));
}

TEST(Clock, KeepsTheLastBitOfRealNanoseconds) {
  const Stamp sum = binary64.add(binary64.span_of_ns(0.1), binary64.span_of_ns(0.2));
  EXPECT_EQ(sum, binary64.span_of_ns(0.1 + 0.2));
  EXPECT_NE(sum, binary64.span_of_ns(0.3));
}

TEST(Clock, ShowsRealNanosecondsAsWholeOnes) {
  EXPECT_EQ(binary64.time(binary64.span_of_ns(26714.4)), Time::from_ns(26714));
  EXPECT_EQ(binary64.time(binary64.span_of_ns(26714.999)), Time::from_ns(26714));
  EXPECT_EQ(binary64.time(binary64.span(Time::from_ns(7))), Time::from_ns(7));
}

TEST(Clock, StampsOfRealNanosecondsOrderLikeTheNumbers) {
  const double ascending[] = {0, 1e-300, 0.1, 1, 1.0000000000000002, 3, 26714.4, 1e15};
  for (std::size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(binary64.span_of_ns(ascending[i - 1]), binary64.span_of_ns(ascending[i])) << ascending[i];
  }
}

TEST(Clock, DifferenceIsNeverNegative) {
  EXPECT_EQ(picoseconds.difference(5000, 2000), 3000);
  EXPECT_EQ(picoseconds.difference(2000, 5000), 0);
  EXPECT_EQ(binary64.difference(binary64.span_of_ns(2.5), binary64.span_of_ns(1)), binary64.span_of_ns(1.5));
  EXPECT_EQ(binary64.difference(binary64.span_of_ns(1), binary64.span_of_ns(2.5)), 0);
}

TEST(Clock, RefusesToCountBeyondItsRange) {
  const Stamp latest = std::numeric_limits<Stamp>::max();
  EXPECT_EQ(picoseconds.add(latest - 1, 1), latest);
  EXPECT_THROW(picoseconds.add(latest, 1), InputError);
  EXPECT_THROW(binary64.add(binary64.span_of_ns(9e15), binary64.span_of_ns(9e15)), InputError);
}

}  // namespace
}  // namespace orrery::core::clock_test
