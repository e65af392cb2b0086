// The expected order follows from docs/models/chunk-flow.md, Flow with a barrier.
#include "collective/flow/machine_barrier.hpp"

#include <gtest/gtest.h>

namespace orrery::core::machine_barrier_test {
namespace {

using Log = std::vector<std::string>;
using Waiting = std::vector<WaitingPhase>;

// Two ranks that form the group of both dimensions; writes down what the flow tells it: "start
// rank.chunk.phase".
class MachineBarrierTest : public testing::Test, protected ChunkHost {
 protected:
  static constexpr std::uint32_t ranks = 2;

  // A chunk that passes the given dimensions.
  std::uint32_t chunk_over(const std::vector<std::uint16_t>& dimensions) {
    ChunkPlan& plan = *plans.emplace_back(std::make_unique<ChunkPlan>());
    for (std::uint16_t d : dimensions)
      plan.phases.push_back({CollectiveKind::all_to_all, d, 0, Bytes(8), &shape});
    chunks.push_back({&plan, 0, 0, ranks});
    return static_cast<std::uint32_t>(chunks.size() - 1);
  }
  void issue(std::uint32_t rank, std::uint32_t number) {
    flow.create(ClassId(rank), number, 0);
    flow.issued(ClassId(rank));
  }
  Log take_log() { return std::exchange(log, {}); }

  const ChunkInfo& chunk(std::uint32_t number) const override { return chunks[number]; }
  void entered(ClassId, std::uint32_t, std::uint32_t) override {}
  void start(ClassId of_class, std::uint32_t number, std::uint32_t phase) override {
    note("start", of_class, number, phase);
  }
  void left(ClassId of_class, std::uint32_t number, std::uint32_t phase) override {
    note("left", of_class, number, phase);
  }
  void finished(ClassId of_class, std::uint32_t number) override { note("finished", of_class, number, 0); }
  void tell_when_instant_ends() override {}
  void note(const std::string& what, ClassId of_class, std::uint32_t number, std::uint32_t phase) {
    log.push_back(what + " " + std::to_string(of_class.value()) + "." + std::to_string(number) + "." +
                  std::to_string(phase));
  }

  PhaseShape shape{LogicalDimension{1, 2, 0}, {}, {}, {}};
  std::vector<std::unique_ptr<ChunkPlan>> plans;
  std::vector<ChunkInfo> chunks;
  Log log;
  MachineBarrier flow{*this, QueueRules(SystemConfig{}), 2, ranks};
};

TEST_F(MachineBarrierTest, NobodyMovesBeforeEveryoneHasEndedAndTheLastMovesLast) {
  const auto a = chunk_over({0, 1});
  for (std::uint32_t rank : {0u, 1u}) issue(rank, a);
  EXPECT_EQ(take_log(), (Log{"start 0.0.0", "start 1.0.0"}));
  flow.phase_ended(ClassId(1), a);
  EXPECT_EQ(take_log(), Log{});
  flow.phase_ended(ClassId(0), a);
  EXPECT_EQ(take_log(), (Log{"left 1.0.0", "start 1.0.1", "left 0.0.0", "start 0.0.1"}));
  flow.phase_ended(ClassId(0), a);
  flow.phase_ended(ClassId(1), a);
  EXPECT_EQ(take_log(), (Log{"left 0.0.1", "finished 0.0.0", "left 1.0.1", "finished 1.0.0"}));
}

TEST_F(MachineBarrierTest, ASlotIsHeldUntilTheBarrier) {
  const auto a = chunk_over({0}), b = chunk_over({0});
  for (std::uint32_t rank : {0u, 1u}) {
    issue(rank, a);
    issue(rank, b);
  }
  EXPECT_EQ(take_log(), (Log{"start 0.0.0", "start 1.0.0"}));
  flow.phase_ended(ClassId(0), a);
  EXPECT_EQ(take_log(), Log{});
  flow.phase_ended(ClassId(1), a);
  EXPECT_EQ(take_log(), (Log{"left 0.0.0", "finished 0.0.0", "start 0.1.0",  //
                             "left 1.0.0", "finished 1.0.0", "start 1.1.0"}));
}

// The next phase may want the queue that the chunk is in: a waiting chunk goes first.
TEST_F(MachineBarrierTest, AMovingChunkGoesBehindWhoWaits) {
  const auto a = chunk_over({0, 0}), b = chunk_over({0});
  for (std::uint32_t rank : {0u, 1u}) {
    issue(rank, a);
    issue(rank, b);
  }
  take_log();
  for (std::uint32_t rank : {0u, 1u}) flow.phase_ended(ClassId(rank), a);
  EXPECT_EQ(take_log(), (Log{"left 0.0.0", "start 0.1.0", "left 1.0.0", "start 1.1.0"}));
}

// Rank 0 has issued b when the barrier of a falls, and rank 1 issues it right afterwards. If a moved at
// once, rank 0 would serve b and rank 1 would serve a in dimension 1, for ever.
TEST_F(MachineBarrierTest, AllIssueBeforeAnyoneMoves) {
  const auto a = chunk_over({0, 1}), b = chunk_over({1});
  for (std::uint32_t rank : {0u, 1u}) issue(rank, a);
  take_log();
  flow.phase_ended(ClassId(0), a);
  issue(0, b);
  flow.phase_ended(ClassId(1), a);
  EXPECT_EQ(take_log(), (Log{"start 0.1.0"}));
  issue(1, b);
  EXPECT_EQ(take_log(), (Log{"start 1.1.0", "left 0.0.0", "left 1.0.0"}));
  for (std::uint32_t rank : {0u, 1u}) flow.phase_ended(ClassId(rank), b);
  EXPECT_EQ(take_log(), (Log{"left 0.1.0", "finished 0.1.0", "start 0.0.1",  //
                             "left 1.1.0", "finished 1.1.0", "start 1.0.1"}));
}

// If ranks issue at different times, nobody starts before the last one has issued.
TEST_F(MachineBarrierTest, OutOfStepAChunkStartsWhenEveryRankHasIssuedIt) {
  MachineBarrier apart(*this, QueueRules(SystemConfig{}), 2, ranks, false);
  const auto a = chunk_over({0, 1}), b = chunk_over({0});
  const auto issue_apart = [&](std::uint32_t rank, std::uint32_t number) {
    apart.create(ClassId(rank), number, 0);
    apart.issued(ClassId(rank));
  };
  issue_apart(0, a);
  issue_apart(0, b);
  EXPECT_EQ(take_log(), Log{});
  issue_apart(1, a);
  EXPECT_EQ(take_log(), (Log{"start 0.0.0", "start 1.0.0"}));
  // b, which rank 1 has not issued, does not keep a from going on.
  apart.phase_ended(ClassId(0), a);
  apart.phase_ended(ClassId(1), a);
  EXPECT_EQ(take_log(), (Log{"left 0.0.0", "start 0.0.1", "left 1.0.0", "start 1.0.1"}));
}

TEST_F(MachineBarrierTest, SaysWhoIsMissing) {
  const auto a = chunk_over({0});
  for (std::uint32_t rank : {0u, 1u}) issue(rank, a);
  EXPECT_EQ(flow.waiting(), (Waiting{{WaitingPhase::State::running, a, 0, ClassId(0), 2, 0}}));
  flow.phase_ended(ClassId(0), a);
  EXPECT_EQ(flow.waiting(), (Waiting{{WaitingPhase::State::running, a, 0, ClassId(1), 2, 1}}));
  flow.phase_ended(ClassId(1), a);
  EXPECT_TRUE(flow.waiting().empty());
}

TEST_F(MachineBarrierTest, SaysWhatIsQueued) {
  const auto a = chunk_over({0}), b = chunk_over({0});
  for (std::uint32_t rank : {0u, 1u}) {
    issue(rank, a);
    issue(rank, b);
  }
  EXPECT_EQ(flow.waiting(), (Waiting{{WaitingPhase::State::running, a, 0, ClassId(0), 2, 0},
                                     {WaitingPhase::State::queued, b, 0, ClassId(0), 2, 0}}));
}

}  // namespace
}  // namespace orrery::core::machine_barrier_test
