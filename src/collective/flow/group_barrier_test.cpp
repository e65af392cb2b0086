#include "collective/flow/group_barrier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "support/ids.hpp"

namespace orrery::core::group_barrier_test {
namespace {

using Log = std::vector<std::string>;
using Waiting = std::vector<WaitingPhase>;

// A machine of 2 x 2; writes down "start class.chunk.phase".
class GroupBarrierTest : public testing::Test, public ChunkHost {
 protected:
  std::uint32_t chunk_over(const std::vector<std::uint16_t>& dimensions, int priority = 0) {
    ChunkPlan& plan = *plans.emplace_back(std::make_unique<ChunkPlan>());
    for (std::uint16_t d : dimensions)
      plan.phases.push_back({CollectiveKind::all_to_all, d, 0, Bytes(8), &shapes[d]});
    chunks.push_back({&plan, priority, 0, 4});
    return static_cast<std::uint32_t>(chunks.size() - 1);
  }
  void end_instant() {
    while (std::exchange(asked, false)) flow->instant_ends();
  }
  Log take_log() {
    end_instant();
    return std::exchange(log, {});
  }
  void fold(const std::vector<std::uint32_t>& class_of) {
    classes = RankClasses(test::ids<ClassId>(class_of));
    flow = std::make_unique<GroupBarrier>(*this, QueueRules(SystemConfig{}), classes);
  }

  const ChunkInfo& chunk(std::uint32_t number) const override { return chunks[number]; }
  void entered(ClassId, std::uint32_t, std::uint32_t) override {}
  void start(ClassId of_class, std::uint32_t number, std::uint32_t phase) override {
    note("start", of_class, number, phase);
  }
  bool group_starts(std::span<const ClassId> members, std::uint32_t number, std::uint32_t phase) override {
    if (!together) return false;
    for (const ClassId member : members) note("start", member, number, phase);
    started.emplace_back(members, number);
    return true;
  }
  void left(ClassId, std::uint32_t, std::uint32_t) override {}
  void finished(ClassId of_class, std::uint32_t number) override { note("finished", of_class, number, 0); }
  void tell_when_instant_ends() override { asked = true; }
  void tell_when_group_arrives(Stamp at, std::uint32_t number, std::uint32_t group) override {
    arrivals.push_back({at, number, group});
    if (at == 0) flow->group_arrives(number, group);
  }
  void note(const std::string& what, ClassId of_class, std::uint32_t number, std::uint32_t phase) {
    log.push_back(what + " " + std::to_string(of_class.value()) + "." + std::to_string(number) + "." +
                  std::to_string(phase));
  }

  std::vector<PhaseShape> shapes{{LogicalDimension{1, 2, 0}, {}, {}, {}},
                                 {LogicalDimension{2, 2, 1}, {}, {}, {}}};
  std::vector<std::unique_ptr<ChunkPlan>> plans;
  std::vector<ChunkInfo> chunks;
  struct Arrival {
    Stamp at;
    std::uint32_t chunk, group;
    bool operator==(const Arrival&) const = default;
  };
  std::vector<Arrival> arrivals;
  Log log;
  bool asked = false;
  bool together = false;                                                    // groups start and end at once
  std::vector<std::pair<std::span<const ClassId>, std::uint32_t>> started;  // and their chunks
  RankClasses classes = RankClasses::all_distinct(4);
  std::unique_ptr<GroupBarrier> flow =
      std::make_unique<GroupBarrier>(*this, QueueRules(SystemConfig{}), classes);
};

TEST_F(GroupBarrierTest, AGroupStartsWhenItsMembersHaveArrived) {
  const auto a = chunk_over({0, 1});
  flow->create(ClassId(1), a, 0);
  EXPECT_EQ(take_log(), Log{});
  flow->create(ClassId(0), a, 0);
  EXPECT_EQ(take_log(), (Log{"start 0.0.0", "start 1.0.0"}));
  for (std::uint32_t rank : {2u, 3u}) flow->create(ClassId(rank), a, 0);
  take_log();
  flow->phase_ended(ClassId(0), a);
  EXPECT_EQ(take_log(), Log{});
  flow->phase_ended(ClassId(2), a);
  EXPECT_EQ(take_log(), (Log{"start 0.0.1", "start 2.0.1"}));
}

// A chunk arrives when the last rank comes in time, not when the last rank is heard of. Ranks 2 and 3 are a
// group of their own.
TEST_F(GroupBarrierTest, ChunksThatAreAnnouncedArriveWhenTheirLastRankDoes) {
  const auto a = chunk_over({0});
  flow->create(ClassId(0), a, 70);
  flow->create(ClassId(2), a, 20);
  flow->create(ClassId(3), a, 30);
  EXPECT_EQ(arrivals, (std::vector<Arrival>{{30, a, 1}}));
  flow->create(ClassId(1), a, 50);
  EXPECT_EQ(arrivals, (std::vector<Arrival>{{30, a, 1}, {70, a, 0}}));
  EXPECT_EQ(take_log(), Log{});
  flow->group_arrives(a, 1);
  EXPECT_EQ(take_log(), (Log{"start 2.0.0", "start 3.0.0"}));
}

TEST_F(GroupBarrierTest, GroupsThatEndAtOnceGoTheWayOfTheirMembers) {
  const auto run = [&](bool at_once) {
    together = at_once;
    fold({0, 1, 2, 3});
    const std::vector<std::uint32_t> numbers{chunk_over({0, 1, 0}), chunk_over({0, 1}), chunk_over({1, 0})};
    const std::uint32_t first = numbers[0];
    for (std::uint32_t rank = 0; rank < 4; ++rank)
      for (const std::uint32_t number : numbers) flow->create(ClassId(rank), number, 0);
    Log seen;
    for (int instant = 0; instant < 12; ++instant) {
      Log now = take_log();
      const auto groups = std::exchange(started, {});
      for (const auto& [members, number] : groups) flow->group_ended(members, number);
      if (!at_once) {
        for (const std::string& line : now) {
          if (line.substr(0, 5) != "start") continue;
          const auto rank = static_cast<std::uint32_t>(line[6] - '0');
          flow->phase_ended(ClassId(rank), static_cast<std::uint32_t>(std::stoul(line.substr(8))));
        }
      }
      std::sort(now.begin(), now.end());
      for (const std::string& line : now) {  // numbers from 0 on in both
        const std::size_t dot = line.find('.') + 1, end = line.rfind('.');
        seen.push_back(line.substr(0, dot) + std::to_string(std::stoul(line.substr(dot, end - dot)) - first) +
                       line.substr(end));
      }
    }
    return seen;
  };
  const Log one_by_one = run(false), at_once = run(true);
  EXPECT_EQ(one_by_one.size(), 4u * (3 + 2 + 2) + 3 * 4);
  EXPECT_EQ(one_by_one, at_once);
}

// The younger chunk goes first although the older one arrives first within the instant.
TEST_F(GroupBarrierTest, AQueueChoosesAtTheEndOfTheInstant) {
  const auto old = chunk_over({0}), young = chunk_over({0}, 1);
  for (const std::uint32_t number : {old, young})
    for (std::uint32_t rank : {0u, 1u}) flow->create(ClassId(rank), number, 0);
  EXPECT_EQ(take_log(), (Log{"start 0.1.0", "start 1.1.0"}));
}

TEST_F(GroupBarrierTest, WhatEndsInOneInstantMovesInTheOrderOfItsNumbers) {
  const auto a = chunk_over({0}), b = chunk_over({1});
  for (const std::uint32_t number : {a, b})
    for (std::uint32_t rank = 0; rank < 4; ++rank) flow->create(ClassId(rank), number, 0);
  take_log();
  flow->phase_ended(ClassId(2), b);
  flow->phase_ended(ClassId(1), a);
  flow->phase_ended(ClassId(0), b);
  flow->phase_ended(ClassId(0), a);
  EXPECT_EQ(take_log(), (Log{"finished 0.0.0", "finished 1.0.0", "finished 0.1.0", "finished 2.1.0"}));
}

// Ranks 2 and 3 are one class, which alone makes up its inner group.
TEST_F(GroupBarrierTest, ClassesStandForTheirRanks) {
  fold({0, 1, 2, 2});
  const auto a = chunk_over({0});
  flow->create(ClassId(2), a, 0);
  EXPECT_EQ(take_log(), (Log{"start 2.0.0"}));
  flow->create(ClassId(0), a, 0);
  EXPECT_EQ(take_log(), Log{});
  flow->create(ClassId(1), a, 0);
  EXPECT_EQ(take_log(), (Log{"start 0.0.0", "start 1.0.0"}));
}

TEST_F(GroupBarrierTest, SaysWhoIsMissing) {
  const auto a = chunk_over({1});
  flow->create(ClassId(3), a, 0);
  EXPECT_EQ(flow->waiting(), (Waiting{{WaitingPhase::State::absent, a, 0, ClassId(1), 2, 1}}));
}

TEST_F(GroupBarrierTest, SaysWhoRunsAndWhatIsQueued) {
  const auto a = chunk_over({0, 1}), b = chunk_over({0, 1});
  for (const std::uint32_t number : {a, b})
    for (std::uint32_t rank : {0u, 1u}) flow->create(ClassId(rank), number, 0);
  take_log();
  const std::uint32_t first = flow->waiting()[0].state == WaitingPhase::State::running ? a : b;
  flow->phase_ended(ClassId(0), first);
  take_log();
  const Waiting waiting = flow->waiting();
  ASSERT_EQ(waiting.size(), 3u);
  // Rank 0 is in the second phase already, where rank 2 has not come yet.
  const auto of = [&](WaitingPhase::State state) {
    return *std::find_if(waiting.begin(), waiting.end(), [&](const auto& one) { return one.state == state; });
  };
  EXPECT_EQ(of(WaitingPhase::State::running),
            (WaitingPhase{WaitingPhase::State::running, first, 0, ClassId(1), 2, 1}));
  EXPECT_EQ(of(WaitingPhase::State::absent),
            (WaitingPhase{WaitingPhase::State::absent, first, 1, ClassId(2), 2, 1}));
  EXPECT_EQ(of(WaitingPhase::State::queued).chunk, first == a ? b : a);
}

}  // namespace
}  // namespace orrery::core::group_barrier_test
