#include "report/profile/profile_matching.hpp"

#include <gtest/gtest.h>

#include <random>

#include "report/profile/measured_comparison.hpp"

namespace orrery::core::profile_matching_test {
namespace {

constexpr ActivityUse use(double count, std::int64_t ns) {
  ActivityUse made;
  made.count = count;
  made.busy = made.share = Time::from_ns(ns);
  return made;
}

StepProfile profile(std::map<ActivityClass, ActivityUse> classes, std::int64_t length = 1000) {
  StepProfile made;
  made.length = Time::from_ns(length);
  made.classes = std::move(classes);
  Time idle = made.length;
  for (const auto& [of, one] : made.classes) idle -= one.share;
  if (idle > Time()) made.classes[{ActivityKind::idle}] = {0, idle, idle};
  return made;
}

const ActivityPair* find(const std::vector<ActivityPair>& pairs, ActivityKind kind) {
  for (const ActivityPair& pair : pairs)
    if (pair.kind == kind) return &pair;
  return nullptr;
}

constexpr ActivityClass reduce_of(std::uint64_t bytes, std::uint32_t ranks = 8) {
  return {ActivityKind::all_reduce, Bytes(bytes), ranks};
}

TEST(ProfileMatching, TheLargestChangeComesFirst) {
  const auto pairs = match_activities(
      profile({{{ActivityKind::matrix_product}, use(1, 100)}, {{ActivityKind::elementwise}, use(1, 100)}}),
      profile({{{ActivityKind::matrix_product}, use(1, 110)}, {{ActivityKind::elementwise}, use(1, 50)}}));
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].kind, ActivityKind::elementwise);
  EXPECT_EQ(pairs[1].kind, ActivityKind::idle);
  EXPECT_EQ(pairs[1].change(), Time::from_ns(40));
}

TEST(ProfileMatching, SizesMayDifferALittle) {
  const auto pairs =
      match_activities(profile({{reduce_of(1000), use(4, 10)}, {reduce_of(2000), use(2, 10)}}),
                       profile({{reduce_of(1010), use(4, 10)}, {reduce_of(1990), use(3, 10)}}));
  ASSERT_EQ(pairs.size(), 3u);
  for (const ActivityPair& pair : pairs) EXPECT_TRUE(pair.in_both() || pair.kind == ActivityKind::idle);
  EXPECT_EQ(label_of(*find(pairs, ActivityKind::all_reduce)),
            "all-reduces of 1000 B (measured 1010 B) among 8");
}

// Gradients of four bytes, where two were simulated.
TEST(ProfileMatching, WhatComesEquallyOftenMayBeOfAnotherSize) {
  const auto same =
      match_activities(profile({{reduce_of(1000), use(4, 10)}}), profile({{reduce_of(2000), use(4, 10)}}));
  EXPECT_TRUE(find(same, ActivityKind::all_reduce)->in_both());
  const auto other =
      match_activities(profile({{reduce_of(1000), use(4, 10)}}), profile({{reduce_of(2000), use(5, 10)}}));
  EXPECT_FALSE(find(other, ActivityKind::all_reduce)->in_both());
  const auto group =
      match_activities(profile({{reduce_of(1000), use(4, 10)}}), profile({{reduce_of(1000, 4), use(4, 10)}}));
  EXPECT_FALSE(find(group, ActivityKind::all_reduce)->in_both());
}

TEST(ProfileMatching, WhatASideDoesNotKnowIsLeftOut) {
  const auto pairs = match_activities(profile({{reduce_of(1000), use(4, 10)}, {reduce_of(50, 2), use(1, 5)}}),
                                      profile({{{ActivityKind::all_reduce}, use(5, 20)}}));
  const ActivityPair* const pair = find(pairs, ActivityKind::all_reduce);
  EXPECT_TRUE(pair->in_both());
  EXPECT_EQ(pair->simulated.count, 5);
  EXPECT_EQ(label_of(*pair), "all-reduces");
}

TEST(ProfileMatching, MessagesWithoutDirectionMeetSendsAndReceives) {
  const auto pairs = match_activities(
      profile({{{ActivityKind::send, Bytes(8)}, use(2, 10)}, {{ActivityKind::receive}, use(2, 30)}}),
      profile({{{ActivityKind::message}, use(4, 40)}}));
  const ActivityPair* const pair = find(pairs, ActivityKind::message);
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->simulated.count, 4);
  EXPECT_EQ(pair->change(), Time());
}

TEST(ProfileMatching, LayersStandBesideAllThatComputes) {
  const auto pairs = match_activities(
      profile({{{ActivityKind::layer}, use(2, 100)}}),
      profile({{{ActivityKind::matrix_product}, use(4, 60)}, {{ActivityKind::other}, use(1, 50)}}));
  const ActivityPair* const pair = find(pairs, ActivityKind::compute);
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->change(), Time::from_ns(10));
  EXPECT_EQ(find(pairs, ActivityKind::layer), nullptr);
}

// Property: nothing is lost or counted twice.
TEST(ProfileMatching, ChangesOfRandomProfilesAddUp) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const auto some = [&] {
      std::map<ActivityClass, ActivityUse> classes;
      std::int64_t length = static_cast<std::int64_t>(random() % 50);
      for (unsigned i = 0; i < random() % 12; ++i) {
        ActivityClass of{static_cast<ActivityKind>(random() % (activity_kinds.size() - 1))};
        if (is_communication(of.kind) && random() % 4 != 0) of.bytes = Bytes(900 + random() % 200);
        if (is_communication(of.kind) && random() % 4 != 0) of.group_size = 2 + random() % 2;
        const auto time = static_cast<std::int64_t>(random() % 100);
        if (classes.try_emplace(of, use(static_cast<double>(1 + random() % 3), time)).second) length += time;
      }
      return profile(std::move(classes), length);
    };
    const StepProfile simulated = some(), measured = some();
    Time change, busy;
    for (const ActivityPair& pair : match_activities(simulated, measured)) {
      change += pair.change();
      if (pair.kind != ActivityKind::idle) busy += pair.busy_change();
    }
    EXPECT_EQ(change, measured.length - simulated.length) << seed;
    Time expected;
    for (const auto& [of, one] : measured.classes)
      if (of.kind != ActivityKind::idle) expected += one.busy;
    for (const auto& [of, one] : simulated.classes)
      if (of.kind != ActivityKind::idle) expected -= one.busy;
    EXPECT_EQ(busy, expected) << seed;
  }
}

}  // namespace
}  // namespace orrery::core::profile_matching_test
