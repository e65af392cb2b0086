#include "network/fluid/link_meter.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.hpp"

namespace orrery {
namespace {

TEST(LinkMeter, DividesBytesAmongIntervals) {
  LinkMeter meter(2);
  meter.add(1, 0.5, 3, 2);
  EXPECT_EQ(meter.interval_ns(), 1);
  EXPECT_EQ(meter.bytes(1), (std::vector<double>{1, 2, 2}));
  EXPECT_TRUE(meter.bytes(0).empty());
}

TEST(LinkMeter, LosesNothingWhenIntervalsBecomeLonger) {
  LinkMeter meter(1);
  Random random(1);
  double sent = 0;
  for (double now = 0; now < 1e6;) {
    const double next = now + random.fraction() * 1000, rate = random.fraction();
    meter.add(0, now, next, rate);
    sent += rate * (next - now);
    now = next;
  }
  const std::vector<double> bytes = meter.bytes(0);
  EXPECT_GT(bytes.size(), 64u);
  EXPECT_LE(bytes.size(), 128u);
  EXPECT_NEAR(std::accumulate(bytes.begin(), bytes.end(), 0.0), sent, sent * 1e-9);
}

}  // namespace
}  // namespace orrery
