#include "base/text/readable.hpp"

#include <gtest/gtest.h>

namespace orrery::core::readable_test {
namespace {

TEST(Readable, TimesHaveFourDigitsAndAUnit) {
  EXPECT_EQ(readable(Time::from_ps(9'395'118'113'000)), "9.395 s");
  EXPECT_EQ(readable(Time::from_ps(418'200'400)), "418.2 us");
  EXPECT_EQ(readable(Time::from_ns(21'040'000)), "21.04 ms");
  EXPECT_EQ(readable(Time::from_ps(1'500)), "1.500 ns");
  EXPECT_EQ(readable(Time::from_ps(17)), "17 ps");
  EXPECT_EQ(readable(Time()), "0 s");
  EXPECT_EQ(readable(Time() - Time::from_ns(2500)), "-2.500 us");
  EXPECT_EQ(readable_seconds(7200), "2.000 h");
}

TEST(Readable, ANumberThatRoundsUpToTheNextUnitTakesIt) {
  EXPECT_EQ(readable(Time::from_ps(999'940)), "999.9 ns");
  EXPECT_EQ(readable(Time::from_ps(999'960)), "1.000 us");
  EXPECT_EQ(readable(Time::from_ps(9'999'600)), "10.00 us");
  EXPECT_EQ(readable_count(999'999.9), "1.000 M");
}

TEST(Readable, BytesAreBinaryAndWholeWhereTheyAreFew) {
  EXPECT_EQ(readable(Bytes(0)), "0 B");
  EXPECT_EQ(readable(Bytes(512)), "512 B");
  EXPECT_EQ(readable(Bytes(1536)), "1.500 KiB");
  EXPECT_EQ(readable_bytes(80e9), "74.51 GiB");
}

TEST(Readable, CountsAreExactBelowAMillion) {
  EXPECT_EQ(readable_count(0), "0");
  EXPECT_EQ(readable_count(262'144), "262144");
  EXPECT_EQ(readable_count(1 << 20), "1.049 M");
  EXPECT_EQ(readable_count(158'466.3), "158.5 k");
  EXPECT_EQ(readable_count(12.25), "12.25");
  EXPECT_EQ(readable_count(2, "FLOP"), "2 FLOP");
  EXPECT_EQ(readable_count(365.2e9, "B/s"), "365.2 GB/s");
}

TEST(Readable, SharesArePercent) {
  EXPECT_EQ(readable_share(0.1234), "12.3%");
}

}  // namespace
}  // namespace orrery::core::readable_test
