// The critical path of a run of traces goes from its beginning to its end without gaps, and holds nothing
// that its ranks did not do then.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/diagnostics/diagnostics.hpp"
#include "report/critical_path/critical_path.hpp"
#include "support/random_traces.hpp"

namespace orrery::core::test::slot_path_test {
namespace {

void expect_path(const TraceProgram& made, const Recording& recording) {
  const std::vector<PathStep> path = critical_path(made.program, recording);
  Time now;
  for (const PathStep& step : path) {
    ASSERT_EQ(step.interval.start, now);
    ASSERT_LT(step.interval.start, step.interval.end);
    const Interval& operation = recording.operations_of(step.rank)[step.operation];
    EXPECT_LE(operation.start, step.interval.start);
    EXPECT_EQ(step.part, made.part_of[step.rank.index()]);
    if (step.kind == PathKind::compute || step.kind == PathKind::memory) {
      EXPECT_EQ(operation.start, step.interval.start);
      EXPECT_EQ(operation.end, step.interval.end);
    }
    now = step.interval.end;
  }
  EXPECT_EQ(now, recording.end());
}

// Returns how many steps were about another rank than the step before.
int check(bool equal, bool rendezvous) {
  int turns = 0;
  const std::uint64_t seeds = std::getenv("ORRERY_TEST_LONG") ? 5'000 : 100;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    TraceCase made = random_traces(seed, equal);
    made.machine.system.rendezvous = rendezvous;
    const TraceProgram program = program_of(made.traces, made.machine);
    for (const bool fold : {true, false}) {
      Recording recording;
      try {
        recording =
            simulate(program.program, made.machine, plan_simulation(program.program, made.machine, fold));
      } catch (const StallError&) {
        continue;
      }
      expect_path(program, recording);
      const std::vector<PathStep> path = critical_path(program.program, recording);
      for (std::size_t i = 1; i < path.size(); ++i) turns += path[i].rank != path[i - 1].rank;
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << "seed " << seed << (fold ? ", folded" : "");
        return turns;
      }
    }
  }
  return turns;
}

TEST(SlotPaths, OfEqualTracesAddUp) {
  check(true, false);
}

TEST(SlotPaths, OfTracesThatDifferAddUpAndPassFromRankToRank) {
  EXPECT_GT(check(false, false), 100);
  EXPECT_GT(check(false, true), 10);  // rendezvous has most of them wait for ever
}

// Rank 1 comes last to a collective, and rank 0 to a message of which it is the receiver.
TEST(SlotPaths, GoToWhoeverHeldUpTheOthers) {
  TraceMachine machine = switched_machine({2}, &tree_algorithm);
  machine.system.algorithms.fill({AlgorithmChoice{}});
  const auto does = [](std::uint64_t us) {
    return trace_of({{.type = chakra::CommType::all_reduce, .bytes = 4000, .compute_us = us}});
  };
  const TraceProgram made = program_of({does(1), does(50)}, machine);
  const Recording recording = simulate(made.program, machine, plan_simulation(made.program, machine));
  const std::vector<PathStep> path = critical_path(made.program, recording);
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[0].kind, PathKind::compute);
  EXPECT_EQ(path[0].rank, RankId(1));
  EXPECT_EQ(path[0].interval.end, Time::from_ns(50'000));
  EXPECT_EQ(path[1].kind, PathKind::collective);
  EXPECT_EQ(path[1].rank, RankId(1));
}

}  // namespace
}  // namespace orrery::core::test::slot_path_test
