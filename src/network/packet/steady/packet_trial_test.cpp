#include "network/packet/steady/packet_trial.hpp"

#include <gtest/gtest.h>

namespace orrery::core::packet_trial_test {
namespace {

TEST(RateSamples, AveragesFromTheStart) {
  RateSamples samples;
  samples.add(100, {1000, 200});
  samples.add(200, {1500, 400});
  EXPECT_DOUBLE_EQ(samples.average(0, 50), 10);
  EXPECT_DOUBLE_EQ(samples.average(0, 100), 10);
  EXPECT_DOUBLE_EQ(samples.average(0, 150), 1250.0 / 150);
  EXPECT_DOUBLE_EQ(samples.last_rate(0), 5);
  EXPECT_DOUBLE_EQ(samples.average(1, 150), 2);
}

TEST(RateSamples, GoesOnAsItEnded) {
  RateSamples samples;
  samples.add(100, {1000});
  EXPECT_DOUBLE_EQ(samples.average(0, 400), 10);
  samples.add(200, {1500});
  EXPECT_DOUBLE_EQ(samples.average(0, 400), 2500.0 / 400);
}

}  // namespace
}  // namespace orrery::core::packet_trial_test
