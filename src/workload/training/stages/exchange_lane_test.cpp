#include "workload/training/stages/exchange_lane.hpp"

#include <gtest/gtest.h>

namespace orrery::core::exchange_lane_test {
namespace {

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}
constexpr std::uint32_t fifth = 200'000;  // parts per million

TEST(ExchangeLane, WithoutContentionAllTakeTheirTime) {
  ExchangeLane lane;
  EXPECT_EQ(lane.end_of_all(), Time());
  EXPECT_EQ(lane.compute(ns(0), ns(100), {ns(50), fifth}), ns(100)) << "nothing is beside it";
  lane.add(ns(100), ns(30));
  EXPECT_EQ(lane.add(ns(110), ns(40)), 1u);
  EXPECT_EQ(lane.compute(ns(110), ns(500), {}), ns(610));
  EXPECT_EQ(lane.end_of(0), ns(130));
  EXPECT_EQ(lane.end_of_all(), ns(170));
}

// The collective does 4/5 of its 400 ns until 500, when the computation has done 500 / 1.5.
TEST(ExchangeLane, BothTakeLongerBesideEachOther) {
  ExchangeLane lane;
  lane.add(ns(0), ns(400));
  EXPECT_NEAR(lane.compute(ns(0), ns(1000), {ns(500), fifth}).ns(), 500 + 1000 - 500 / 1.5, 0.002);
  EXPECT_EQ(lane.end_of_all(), ns(500));
}

// In 300 ns of computing, the first has lost 60 of 400 ns, for which it makes up when nothing computes.
TEST(ExchangeLane, TheNextCollectiveBeginsWhenTheRankIsThroughWithTheLast) {
  ExchangeLane lane;
  lane.add(ns(0), ns(400));
  lane.add(ns(0), ns(100));
  EXPECT_EQ(lane.compute(ns(0), ns(200), {ns(100), fifth}), ns(300));
  EXPECT_EQ(lane.end_of(0), ns(460));
  EXPECT_EQ(lane.compute(ns(460), ns(40), {ns(20), fifth}), ns(520));
  EXPECT_EQ(lane.end_of_all(), ns(460 + 100 + 12));
}

}  // namespace
}  // namespace orrery::core::exchange_lane_test
