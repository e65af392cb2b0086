// The expected schedules follow from docs/models/collectives.md, Exchange and Reductions.
#include <gtest/gtest.h>

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core::halving_doubling_test {
namespace {

using enum CollectiveKind;

ExchangeSchedule halving_doubling(CollectiveKind kind, std::uint32_t members, std::uint64_t input) {
  return std::get<ExchangeSchedule>(halving_doubling_algorithm.make(
      PhaseRequest{kind, Bytes(input), members, false, 0, false, {"s.txt", 3, 1}}));
}

// Distance and bytes of every message sent.
using Messages = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
Messages messages(const ExchangeSchedule& schedule) {
  EXPECT_EQ(schedule.peer, ExchangeSchedule::Peer::exclusive_or);
  EXPECT_EQ(schedule.in_flight, 1u);
  Messages result;
  for (std::uint32_t k = 0; k < schedule.messages; ++k) {
    const auto& step = schedule.steps[k % schedule.steps.size()];
    result.emplace_back(step.amount, step.bytes.count());
  }
  return result;
}

TEST(HalvingDoubling, HalvesThenDoublesInAnAllReduce) {
  EXPECT_EQ(messages(halving_doubling(all_reduce, 8, 800)),
            (Messages{{1, 400}, {2, 200}, {4, 100}, {4, 100}, {2, 200}, {1, 400}}));
}

TEST(HalvingDoubling, LosesRemaindersOnTheWayBack) {
  // 1003 -> 501, 250, 125; the next size, half of it, is doubled again: 2 * 62 = 124
  EXPECT_EQ(messages(halving_doubling(all_reduce, 8, 1003)),
            (Messages{{1, 501}, {2, 250}, {4, 125}, {4, 124}, {2, 248}, {1, 496}}));
}

TEST(HalvingDoubling, ScattersWithGrowingDistance) {
  EXPECT_EQ(messages(halving_doubling(reduce_scatter, 8, 800)), (Messages{{1, 400}, {2, 200}, {4, 100}}));
}

TEST(HalvingDoubling, GathersWithShrinkingDistance) {
  EXPECT_EQ(messages(halving_doubling(all_gather, 8, 10)), (Messages{{4, 10}, {2, 20}, {1, 40}}));
}

TEST(HalvingDoubling, TwoMembers) {
  EXPECT_EQ(messages(halving_doubling(all_reduce, 2, 7)), (Messages{{1, 3}, {1, 2}}));
}

std::vector<std::uint32_t> reducing(const ExchangeSchedule& schedule) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t k = 0; k < schedule.preparations(); ++k) {
    if (schedule.reducing(k)) result.push_back(k);
  }
  return result;
}

// Preparations 1 ... m-1 of 2^m members reduce, so the last reduction is never paid for.
TEST(HalvingDoubling, NeverPaysForTheLastReduction) {
  EXPECT_EQ(reducing(halving_doubling(all_reduce, 16, 1600)), (std::vector{1u, 2u, 3u}));
  EXPECT_EQ(reducing(halving_doubling(reduce_scatter, 16, 1600)), (std::vector{1u, 2u, 3u}));
  EXPECT_TRUE(reducing(halving_doubling(all_gather, 16, 1600)).empty());
  EXPECT_TRUE(reducing(halving_doubling(all_reduce, 2, 1600)).empty());
}

// Half of what was received, also for the last preparation, which sends nothing.
TEST(HalvingDoubling, PreparesWithTheNextSize) {
  const ExchangeSchedule schedule = halving_doubling(reduce_scatter, 4, 800);
  ASSERT_EQ(schedule.steps.size(), 3u);
  EXPECT_EQ(schedule.steps[2].bytes, Bytes(100));
}

void expect_error(CollectiveKind kind, std::uint32_t members, const std::string& word) {
  try {
    halving_doubling(kind, members, 800);
    ADD_FAILURE() << "accepted " << members;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind("s.txt:3:1: error: ", 0), 0u) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

TEST(HalvingDoubling, RefusesWhatItCannotRun) {
  for (std::uint32_t members : {3u, 6u, 12u}) {
    expect_error(all_reduce, members, "power of two");
    expect_error(all_gather, members, "power of two");
  }
  expect_error(all_to_all, 8, "all-to-all");
}

}  // namespace
}  // namespace orrery::core::halving_doubling_test
