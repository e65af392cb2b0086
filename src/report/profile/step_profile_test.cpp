#include "report/profile/step_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/diagnostics/diagnostics.hpp"
#include "report/profile/late_ranks.hpp"

namespace orrery::core::step_profile_test {
namespace {

constexpr Time ns(std::int64_t count) {
  return Time::from_ns(count);
}

Activity activity(ActivityKind kind, std::int64_t start, std::int64_t end, std::uint32_t name = 0) {
  return {kind, name, {ns(start), ns(end)}};
}

RankActivities rank_of(std::vector<Activity> activities) {
  RankActivities rank;
  rank.names = {"", "a", "b"};
  std::ranges::stable_sort(activities, {}, [](const Activity& one) { return one.interval.start; });
  rank.activities = std::move(activities);
  return rank;
}

// 0     4     6  7       10     12        14
// aaaaaaaaaaaaa                             computes
//       rrrrrrrrrrrrrrrrrr                  reduces
//                  ccccccccccccc            copies
TEST(StepProfile, EveryInstantBelongsToOneThing) {
  const StepProfile profile = profile_of(
      rank_of({activity(ActivityKind::matrix_product, 0, 6, 1), activity(ActivityKind::all_reduce, 4, 10),
               activity(ActivityKind::copy, 7, 12), activity(ActivityKind::elementwise, 13, 14, 2)}));
  EXPECT_EQ(profile.length, ns(14));
  EXPECT_EQ(profile.share_of(ActivityGroup::compute), ns(7));
  EXPECT_EQ(profile.share_of(ActivityGroup::communication), ns(4));
  EXPECT_EQ(profile.share_of(ActivityGroup::copy), ns(2));
  EXPECT_EQ(profile.share_of(ActivityGroup::none), ns(1));
  EXPECT_EQ(profile.overlapped, ns(2));
  EXPECT_EQ(profile.classes.at({ActivityKind::all_reduce}).busy, ns(6));
  EXPECT_EQ(profile.kernels.at({ActivityKind::elementwise, "b"}).busy, ns(1));
}

TEST(StepProfile, IsTheMeanOverMarkedSteps) {
  RankActivities rank = rank_of(
      {activity(ActivityKind::matrix_product, 0, 6), activity(ActivityKind::copy, 8, 9),
       activity(ActivityKind::matrix_product, 10, 14), activity(ActivityKind::matrix_product, 21, 30)});
  rank.steps = {{4, ns(0), ns(10)}, {5, ns(10), ns(20)}};
  EXPECT_EQ(steps_in(rank), 2u);
  const StepProfile mean = profile_of(rank);
  EXPECT_EQ(mean.length, ns(10));
  EXPECT_EQ(mean.classes.at({ActivityKind::matrix_product}).count, 1);
  EXPECT_EQ(mean.classes.at({ActivityKind::matrix_product}).busy, ns(5));
  EXPECT_EQ(mean.classes.at({ActivityKind::copy}).count, 0.5);
  const StepProfile second = profile_of(rank, 5);
  EXPECT_EQ(second.classes.at({ActivityKind::matrix_product}).busy, ns(4));
  EXPECT_THROW(profile_of(rank, 6), InputError);
}

// A gather that goes on when the next step begins counts where that of the step before does.
TEST(StepProfile, WhatGoesOnInTheNextStepCountsAtTheBeginning) {
  RankActivities rank =
      rank_of({activity(ActivityKind::matrix_product, 0, 4), activity(ActivityKind::all_gather, 8, 13),
               activity(ActivityKind::matrix_product, 10, 14)});
  rank.steps = {{0, ns(0), ns(10)}};
  const StepProfile profile = profile_of(rank);
  EXPECT_EQ(profile.length, ns(10));
  EXPECT_EQ(profile.classes.at({ActivityKind::all_gather}).count, 1);
  EXPECT_EQ(profile.classes.at({ActivityKind::all_gather}).busy, ns(5));
  EXPECT_EQ(profile.classes.at({ActivityKind::all_gather}).share, ns(2));
  EXPECT_EQ(profile.overlapped, ns(3));
  EXPECT_EQ(profile.share_of(ActivityGroup::none), ns(4));
}

TEST(StepProfile, NothingIsLongerThanTheStep) {
  RankActivities rank = rank_of({activity(ActivityKind::matrix_product, 2, 100)});
  rank.steps = {{0, ns(0), ns(5)}};
  EXPECT_EQ(profile_of(rank).share_of(ActivityGroup::compute), ns(5));
  rank.steps = {{0, ns(20), ns(25)}};
  EXPECT_THROW(profile_of(rank), InputError);
}

// Property: shares add up to the step, each is no more than the time of its activities, and nothing is below
// 0.
TEST(StepProfile, SharesOfRandomActivitiesAddUp) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<Activity> activities;
    for (unsigned i = 0; i < 1 + random() % 60; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 100);
      const auto kind = static_cast<ActivityKind>(random() % (activity_kinds.size() - 1));
      activities.push_back(activity(kind, start, start + 1 + static_cast<std::int64_t>(random() % 20)));
    }
    const StepProfile profile = profile_of(rank_of(activities));
    EXPECT_GE(profile.share_of(ActivityGroup::none), Time()) << seed;
    Time sum, end;
    for (const Activity& one : activities) end = std::max(end, one.interval.end);
    for (const auto& [of, use] : profile.classes) {
      EXPECT_GE(use.share, Time()) << seed;
      EXPECT_LE(use.share, use.busy) << seed;
      sum += use.share;
    }
    EXPECT_EQ(sum, profile.length) << seed;
    EXPECT_EQ(profile.length,
              end - std::ranges::min(activities, {}, [](const Activity& one) { return one.interval.start; })
                        .interval.start)
        << seed;
    EXPECT_LE(profile.overlapped, profile.share_of(ActivityGroup::compute)) << seed;
  }
}

RankActivities rank_with_reduce(std::int64_t start, std::int64_t end, std::string group) {
  RankActivities rank = rank_of({activity(ActivityKind::all_reduce, start, end)});
  rank.names.push_back(std::move(group));
  rank.activities[0].group = 3;
  return rank;
}

// The collective takes 5 ns; two ranks wait for the third, whose clock is another one.
TEST(LateRanks, OthersWaitForTheLastOne) {
  std::vector<RankActivities> ranks{rank_with_reduce(0, 12, "ranks [0, 1, 2]"),
                                    rank_with_reduce(3, 12, "ranks [0, 1, 2]"),
                                    rank_with_reduce(1007, 1012, "ranks [0, 1, 2]")};
  const std::vector<LateRank> late = cut_off_waits(ranks);
  ASSERT_EQ(late.size(), 1u);
  EXPECT_EQ(late[0].rank, 2u);
  EXPECT_EQ(late[0].waited, ns(7));
  EXPECT_EQ(ranks[2].activities.size(), 1u);
  ASSERT_EQ(ranks[0].activities.size(), 2u);
  EXPECT_EQ(ranks[0].activities[0].kind, ActivityKind::wait);
  EXPECT_EQ(ranks[0].activities[0].interval.end, ns(7));
  EXPECT_EQ(ranks[0].activities[1].interval.start, ns(7));
}

TEST(LateRanks, OfOtherGroupsSayNothing) {
  std::vector<RankActivities> ranks{rank_with_reduce(0, 12, "ranks [0, 2]"),
                                    rank_with_reduce(3, 12, "ranks [1, 3]"), rank_with_reduce(4, 12, "")};
  EXPECT_TRUE(cut_off_waits(ranks).empty());
  EXPECT_EQ(ranks[0].activities.size(), 1u);
}

}  // namespace
}  // namespace orrery::core::step_profile_test
