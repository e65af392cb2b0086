// Tests what holds for the time of every training step, on random models, layouts and platforms.
// ORRERY_TEST_LONG=1 tries many more.
#include <gtest/gtest.h>

#include <cstdlib>

#include "study/workloads/transformer/training_step.hpp"
#include "support/random_training.hpp"
#include "workload/training/step/step_clock.hpp"

namespace orrery::core::test::training_time_test {
namespace {

std::uint64_t seeds() {
  return std::getenv("ORRERY_TEST_LONG") ? 20'000 : 300;
}

constexpr double rounding = 1 + 1e-9;

// No device computes faster than it can, and what the model needs is a part of what devices do.
TEST(TrainingTime, UtilizationsAreSharesOfThePeak) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    const TrainingSetup setup = random_training(seed);
    const TrainingResult result = simulate_training_step(setup);
    ASSERT_GT(result.model_flop_utilization(), 0) << seed << ": " << describe(setup);
    ASSERT_LE(result.model_flop_utilization(), result.hardware_flop_utilization() * rounding)
        << seed << ": " << describe(setup);
    ASSERT_LE(result.hardware_flop_utilization(), rounding) << seed << ": " << describe(setup);
  }
}

TEST(TrainingTime, PartsOfAStepAreNotNegativeAndAddUp) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    const TrainingSetup setup = random_training(seed);
    const TrainingResult result = simulate_training_step(setup);
    ASSERT_EQ(result.step, result.time.sum()) << seed << ": " << describe(setup);
    ASSERT_GT(result.time.compute, Time()) << seed << ": " << describe(setup);
    ASSERT_GE(result.time.bubble, Time()) << seed << ": " << describe(setup);
    ASSERT_GE(result.exposed_pipeline, Time()) << seed << ": " << describe(setup);
    for (const Time time : result.exposed) ASSERT_GE(time, Time()) << seed << ": " << describe(setup);
  }
}

// Where collectives slow computations down it may do so, as something else is then beside them.
TEST(TrainingTime, MoreRecomputationNeverTakesLess) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    TrainingSetup setup = random_training(seed);
    setup.contended.reset();
    Time before;
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      setup.plan.recompute = recompute;
      const Time step = training_step_end(setup, StageCosts(setup));
      ASSERT_LE(before.ns(), step.ns() * rounding) << seed << ": " << describe(setup);
      before = step;
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::training_time_test
