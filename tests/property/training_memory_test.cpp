// Tests what holds for the memory of every training step, on random models and layouts. ORRERY_TEST_LONG=1
// tries many more.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/random_training.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery::core::test::training_memory_test {
namespace {

std::uint64_t seeds() {
  return std::getenv("ORRERY_TEST_LONG") ? 20'000 : 300;
}

// Sums of the same terms in another order differ by roundings.
constexpr double rounding = 1 + 1e-12;

TEST(TrainingMemory, MoreRecomputationNeverTakesMore) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    TrainingSetup setup = random_training(seed);
    for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage) {
      const auto memory = [&](Recompute recompute) {
        setup.plan.recompute = recompute;
        return memory_of_stage(setup, stage, model_parts(setup.model, setup.plan)).total();
      };
      const double none = memory(Recompute::none), selective = memory(Recompute::selective),
                   full = memory(Recompute::full);
      ASSERT_LE(selective, none * rounding) << seed << ": stage " << stage << " of " << describe(setup);
      ASSERT_LE(full, selective * rounding) << seed << ": stage " << stage << " of " << describe(setup);
    }
  }
}

// Whoever computes attention scores in main memory has those of one layer there at some moment.
TEST(TrainingMemory, TheScoresOfALayerAreThereWhateverIsRecomputed) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    TrainingSetup setup = random_training(seed);
    const TransformerPlan& plan = setup.plan;
    setup.plan.attention = AttentionKind::naive;
    setup.plan.layers_per_chunk.clear();
    if (setup.model.layers % (plan.pipeline * plan.chunks) != 0) continue;
    const double sequence = double(setup.model.sequence);
    const double scores = double(plan.micro_batch) * double(setup.model.heads) / double(plan.tensor) *
                          sequence * sequence / double(plan.context) * bytes_of(plan.type);
    for (std::size_t stage = 0; stage < plan.pipeline; ++stage)
      ASSERT_GE(memory_of_stage(setup, stage, model_parts(setup.model, setup.plan)).total(), scores)
          << seed << ": " << describe(setup);
  }
}

TEST(TrainingMemory, HigherStagesOfZeroNeverTakeMore) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    TrainingSetup setup = random_training(seed);
    for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage) {
      setup.plan.zero = 0;
      double before = memory_of_stage(setup, stage, model_parts(setup.model, setup.plan)).total();
      for (int zero = 1; zero <= 3; ++zero) {
        setup.plan.zero = zero;
        const double now = memory_of_stage(setup, stage, model_parts(setup.model, setup.plan)).total();
        ASSERT_LE(now, before * rounding) << seed << ": stage " << stage << " of " << describe(setup);
        before = now;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::training_memory_test
