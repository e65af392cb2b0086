// The memory of stages over time, against what they need at most, on random training steps.
#include "report/training/training_memory_history.hpp"

#include <gtest/gtest.h>

#include "report/training/training_result.hpp"
#include "simulate/run/simulation.hpp"
#include "support/random_training.hpp"
#include "support/training_platform.hpp"
#include "workload/training/step/training_program.hpp"

namespace orrery::core::test::memory_history_test {
namespace {

// All that is known of one step.
struct Step {
  explicit Step(std::uint64_t seed)
      : setup(random_training(seed)), costs(setup), program(training_program(setup, costs)) {
    const Machine machine = platform_of(setup);
    recording = simulate(program, machine, plan_simulation(program, machine));
    result = training_result(setup, costs, program, breakdown_of(program, recording));
  }

  TrainingSetup setup;
  StageCosts costs;  // refers to `setup`
  Program program;
  Recording recording;
  TrainingResult result;
};

TEST(MemoryHistory, PeaksAtWhatEachStageNeeds) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Step step(seed);
    SCOPED_TRACE(describe(step.setup));
    const std::vector<PartMemory> stages = memory_of_stages(step.result, step.program, step.recording);
    ASSERT_EQ(stages.size(), step.result.stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i)
      ASSERT_EQ(stages[i].peak(), step.result.stages[i].memory.total()) << stages[i].part;
  }
}

TEST(MemoryHistory, HasNoGapsAndAddsUp) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Step step(seed);
    SCOPED_TRACE(describe(step.setup));
    for (const PartMemory& stage : memory_of_stages(step.result, step.program, step.recording)) {
      Time end;
      for (const MemoryInterval& interval : stage.intervals) {
        ASSERT_EQ(interval.start, end);
        ASSERT_LE(interval.start, interval.end);
        end = interval.end;
        double sum = 0;
        for (const std::optional<double>& kept : interval.kept) sum += kept.value_or(0);
        ASSERT_NEAR(sum, interval.total, 1e-9 * interval.total);
      }
      EXPECT_EQ(end, step.recording.end());
      EXPECT_NEAR(*stage.intervals.back()[MemoryKind::activations], 0, 1) << "all backward passes have ended";
    }
  }
}

TEST(MemoryHistory, OfAFileKeepsThePeakWhereNeighboursAreJoined) {
  PartMemory part{"stage 0", {}};
  for (int i = 0; i < 100'000; ++i) {
    MemoryInterval interval{Time::from_ps(i), Time::from_ps(i + 1)};
    interval[MemoryKind::weights] = interval.total = i == 77'777 ? 1e9 : i % 10;
    part.intervals.push_back(interval);
  }
  const std::string csv = csv_text(memory_history_rows({part}));
  EXPECT_LE(std::ranges::count(csv, '\n'), 40'001);
  EXPECT_NE(csv.find(",1000000000\n"), std::string::npos);
  EXPECT_NE(csv.find("\nstage 0,0.099999,0.1,"), std::string::npos) << csv.substr(csv.size() - 100);
}

}  // namespace
}  // namespace orrery::core::test::memory_history_test
