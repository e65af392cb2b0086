// The expected schedules follow from docs/models/collectives.md, Exchange and Reductions.
#include <gtest/gtest.h>

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core::ring_test {
namespace {

using enum CollectiveKind;

ExchangeSchedule ring(CollectiveKind kind, std::uint32_t members, std::uint64_t input,
                      bool backward = false) {
  return std::get<ExchangeSchedule>(
      ring_algorithm.make(PhaseRequest{kind, Bytes(input), members, backward, 0, false, {}}));
}

TEST(Ring, TakesTheRoundsOfItsKind) {
  EXPECT_EQ(ring(all_reduce, 5, 1000).messages, 8u);      // 2 (n-1)
  EXPECT_EQ(ring(reduce_scatter, 5, 1000).messages, 4u);  // n-1
  EXPECT_EQ(ring(all_gather, 5, 1000).messages, 4u);      // n-1
  EXPECT_EQ(ring(all_to_all, 5, 1000).messages, 10u);     // n (n-1) / 2
}

TEST(Ring, SendsTheNextOneAShareOfTheData) {
  const ExchangeSchedule schedule = ring(all_reduce, 5, 1003);
  ASSERT_EQ(schedule.steps.size(), 1u);
  EXPECT_EQ(schedule.peer, ExchangeSchedule::Peer::shift);
  EXPECT_EQ(schedule.steps[0].amount, 1u);
  EXPECT_EQ(schedule.steps[0].bytes, Bytes(200));
  EXPECT_EQ(schedule.in_flight, 1u);
  EXPECT_EQ(schedule.gate, 0u);
  EXPECT_EQ(ring(all_to_all, 5, 1003).steps[0].bytes, Bytes(200));
}

TEST(Ring, GathersWholeShards) {
  EXPECT_EQ(ring(all_gather, 5, 1003).steps[0].bytes, Bytes(1003));
}

TEST(Ring, TurnsTheOtherWay) {
  EXPECT_EQ(ring(all_reduce, 5, 1000, true).steps[0].amount, 4u);
}

TEST(Ring, SmallMessagesMayBeEmpty) {
  EXPECT_EQ(ring(all_reduce, 5, 4).steps[0].bytes, Bytes(0));
}

std::vector<bool> reducing(const ExchangeSchedule& schedule) {
  std::vector<bool> result;
  for (std::uint32_t k = 0; k < schedule.preparations(); ++k) result.push_back(schedule.reducing(k));
  return result;
}

// A ring has one fresh preparation, then n-1 of received data. In an all-reduce the second cycle only
// gathers.
TEST(Ring, ReducesWhatItRelays) {
  EXPECT_EQ(reducing(ring(reduce_scatter, 4, 100)), (std::vector{false, true, true, true}));
  EXPECT_EQ(reducing(ring(all_reduce, 4, 100)), (std::vector{false, true, true, true, false, false, false}));
  EXPECT_EQ(reducing(ring(all_gather, 4, 100)), std::vector(4, false));
  EXPECT_EQ(reducing(ring(all_to_all, 4, 100)), std::vector(7, false));
}

TEST(Ring, CountsItsReductions) {
  for (const CollectiveKind kind : {reduce_scatter, all_reduce, all_gather, all_to_all}) {
    const ExchangeSchedule schedule = ring(kind, 5, 100);
    std::uint64_t count = 0;
    for (std::uint64_t k = 0; k <= schedule.preparations(); ++k) {
      EXPECT_EQ(schedule.reducing_among_first(k), count) << k;
      count += schedule.reducing(k);
    }
  }
}

// On the bus, all relayed data but the last message of a cycle goes back (docs/models/shared-bus.md, Two
// buses).
TEST(Ring, PassesOnAllButTheLast) {
  const ExchangeSchedule schedule = ring(reduce_scatter, 4, 100);
  std::vector<bool> back;
  for (std::uint32_t k = 0; k < 4; ++k) back.push_back(schedule.passes_on(k));
  EXPECT_EQ(back, (std::vector{false, true, true, false}));
}

}  // namespace
}  // namespace orrery::core::ring_test
