// The expected schedules follow from docs/models/collectives.md, Exchange and Reductions.
#include <gtest/gtest.h>

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core::direct_test {
namespace {

using enum CollectiveKind;

ExchangeSchedule direct(CollectiveKind kind, std::uint32_t members, int window, bool backward = false) {
  return std::get<ExchangeSchedule>(
      direct_algorithm.make(PhaseRequest{kind, Bytes(1003), members, backward, window, false, {}}));
}

std::vector<std::uint32_t> amounts(const ExchangeSchedule& schedule) {
  std::vector<std::uint32_t> result;
  for (const auto& step : schedule.steps) result.push_back(step.amount);
  return result;
}

TEST(Direct, VisitsEveryPeerOnceBeforeAnyTwice) {
  EXPECT_EQ(amounts(direct(all_to_all, 5, 0)), (std::vector{1u, 2u, 3u, 4u}));
  EXPECT_EQ(amounts(direct(all_to_all, 5, 0, true)), (std::vector{4u, 3u, 2u, 1u}));
}

TEST(Direct, SendsOneMessagePerPeerAndTwoInAnAllReduce) {
  EXPECT_EQ(direct(reduce_scatter, 5, 0).messages, 4u);
  EXPECT_EQ(direct(all_gather, 5, 0).messages, 4u);
  EXPECT_EQ(direct(all_to_all, 5, 0).messages, 4u);
  EXPECT_EQ(direct(all_reduce, 5, 0).messages, 8u);
}

TEST(Direct, SendsShares) {
  EXPECT_EQ(direct(reduce_scatter, 5, 0).steps[3].bytes, Bytes(200));
  EXPECT_EQ(direct(all_gather, 5, 0).steps[3].bytes, Bytes(1003));
}

TEST(Direct, WindowLimitsTheMessagesInFlight) {
  EXPECT_EQ(direct(all_to_all, 9, 0).in_flight, 8u);
  EXPECT_EQ(direct(all_to_all, 9, 3).in_flight, 3u);
  EXPECT_EQ(direct(all_to_all, 9, 100).in_flight, 8u);
}

TEST(Direct, OnlyAnAllReduceWaitsBetweenItsHalves) {
  EXPECT_EQ(direct(all_reduce, 5, 2).gate, 4u);
  EXPECT_EQ(direct(reduce_scatter, 5, 2).gate, 0u);
  EXPECT_EQ(direct(all_to_all, 5, 2).gate, 0u);
}

// Windows of fresh and of received data take turns, so that every second window reduces.
TEST(Direct, ReducesEverySecondWindow) {
  const ExchangeSchedule schedule = direct(reduce_scatter, 7, 2);
  std::vector<bool> reducing;
  for (std::uint32_t k = 0; k < schedule.preparations(); ++k) reducing.push_back(schedule.reducing(k));
  EXPECT_EQ(reducing, (std::vector{false, false, true, true, false, false, true, true}));
}

TEST(Direct, ReducesInTheFirstCycleOfAnAllReduceOnly) {
  const ExchangeSchedule schedule = direct(all_reduce, 4, 0);  // cycles of 3 + 3; 6 messages, 9 preparations
  for (std::uint32_t k = 0; k < 9; ++k) EXPECT_EQ(schedule.reducing(k), k >= 3 && k < 6) << k;
}

TEST(Direct, PassesNothingOn) {
  const ExchangeSchedule schedule = direct(all_reduce, 5, 2);
  for (std::uint32_t k = 0; k < schedule.preparations(); ++k) EXPECT_FALSE(schedule.passes_on(k)) << k;
}

}  // namespace
}  // namespace orrery::core::direct_test
