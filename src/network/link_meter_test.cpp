#include "network/link_meter.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "base/random.hpp"

namespace orrery::core::link_meter_test {
namespace {

TEST(LinkMeter, DividesBytesAmongIntervals) {
  LinkMeter meter(2);
  meter.add(LinkId(1), 0.5, 3, 2);
  EXPECT_EQ(meter.interval_ns(), 1);
  EXPECT_EQ(meter.bytes(LinkId(1)), (std::vector<double>{1, 2, 2}));
  EXPECT_TRUE(meter.bytes(LinkId(0)).empty());
}

TEST(LinkMeter, LosesNothingWhenIntervalsBecomeLonger) {
  LinkMeter meter(1);
  Random random(1);
  double sent = 0;
  for (double now = 0; now < 1e6;) {
    const double next = now + random.fraction() * 1000, rate = random.fraction();
    meter.add(LinkId(0), now, next, rate);
    sent += rate * (next - now);
    now = next;
  }
  const std::vector<double> bytes = meter.bytes(LinkId(0));
  EXPECT_GT(bytes.size(), 64u);
  EXPECT_LE(bytes.size(), 128u);
  EXPECT_NEAR(std::accumulate(bytes.begin(), bytes.end(), 0.0), sent, sent * 1e-9);
}

// There are 200 links, and those inside are busier by far; each level has half of those shown.
TEST(LinkMeter, ShowsAsManyLinksOfEachLevel) {
  LinkMeter meter(200);
  for (std::uint32_t link = 0; link < 200; ++link)
    meter.add(LinkId(link), 0, 10, link < 150 ? 1000 + link : 1);
  const LinkHistory history =
      meter.history({.bytes_per_ns = [](LinkId) { return 2000.0; },
                     .ends = [](LinkId link) { return LinkEnds("npu" + std::to_string(link.value()), "x"); },
                     .level = [](LinkId link) { return link < LinkId(150) ? "inside" : "between"; }});
  ASSERT_EQ(history.links.size(), 64u);
  EXPECT_EQ(history.links[0].from, "npu149");
  EXPECT_EQ(history.links[31].from, "npu118");
  EXPECT_EQ(history.links[32].from, "npu150");
  EXPECT_EQ(history.links[63].from, "npu181");
}

}  // namespace
}  // namespace orrery::core::link_meter_test
