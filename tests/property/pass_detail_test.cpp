// A pass of a micro-batch as one node takes what its operators and collectives take one by one.
#include <gtest/gtest.h>

#include "report/training/training_result.hpp"
#include "simulate/run/simulation.hpp"
#include "support/random_training.hpp"
#include "support/training_platform.hpp"
#include "workload/training/step/training_program.hpp"

namespace orrery::core::test::pass_detail_test {
namespace {

TrainingResult run(const TrainingSetup& setup, const StageCosts& costs, PassDetail detail) {
  const Program program = training_program(setup, costs, detail);
  const Machine machine = platform_of(setup);
  const Recording recording = simulate(program, machine, plan_simulation(program, machine));
  return training_result(setup, costs, program, breakdown_of(program, recording));
}

// Returns whether exchanges of gradients or weights are under way beside passes or blocks. They slow these
// down by the mean over the operators, and not by what each operator would be slowed down.
bool is_slowed_down_by_the_mean(const TrainingSetup& setup) {
  return setup.contended && (setup.overlap_gradients || setup.plan.zero >= 2);
}

// Durations are rounded to picoseconds one by one.
void expect_alike(const TrainingResult& one, const TrainingResult& other, double share) {
  const double tolerance = share * one.step.ns();
  EXPECT_NEAR(one.step.ns(), other.step.ns(), tolerance);
  EXPECT_NEAR(one.time.compute.ns(), other.time.compute.ns(), tolerance);
  EXPECT_NEAR(one.time.bubble.ns(), other.time.bubble.ns(), tolerance);
  EXPECT_NEAR(one.time.idle.ns(), other.time.idle.ns(), tolerance);
  EXPECT_NEAR(one.time.update.ns(), other.time.update.ns(), tolerance);
  EXPECT_NEAR(one.exposed_pipeline.ns(), other.exposed_pipeline.ns(), tolerance);
  for (const Axis axis : all_axes) {
    const auto along = static_cast<std::size_t>(axis);
    EXPECT_NEAR(one.exposed[along].ns(), other.exposed[along].ns(), tolerance) << along;
  }
}

TEST(PassDetail, OneNodeTakesWhatItsBlocksTake) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (setup.plan.micro_batches() * setup.model.layers > 4000) continue;
    SCOPED_TRACE(describe(setup));
    const StageCosts costs(setup);
    const TrainingResult one = run(setup, costs, PassDetail::one_node);
    const double share = is_slowed_down_by_the_mean(setup) ? 0.03 : 1e-6;
    {
      SCOPED_TRACE("blocks");
      expect_alike(one, run(setup, costs, PassDetail::blocks), share);
    }
    {
      SCOPED_TRACE("operators");
      expect_alike(one, run(setup, costs, PassDetail::operators), share);
    }
    if (HasFailure()) return;
    ++compared;
  }
  EXPECT_GT(compared, 80);
}

// Two stages that have a copy of the embedding add up its gradients, which is no computation.
TEST(PassDetail, GradientsOfASharedEmbeddingAreCommunication) {
  int shared = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    TrainingSetup setup = random_training(seed);
    setup.contended.reset();  // nothing makes computations longer
    const StageCosts costs(setup);
    const StageCost& first = costs.of(0);
    if (first.shared_embedding == Seconds() || setup.plan.micro_batches() * setup.model.layers > 4000)
      continue;
    ++shared;
    SCOPED_TRACE(describe(setup));
    Seconds compute;
    for (const ChunkCost& chunk : first.chunks)
      compute += chunk.forward.compute + chunk.all_of_backward().compute;
    compute = compute * static_cast<double>(setup.plan.micro_batches()) + first.optimizer;
    const TrainingResult result = run(setup, costs, PassDetail::one_node);
    ASSERT_NEAR(result.stages[0].time.compute.ns(), compute.rounded().ns(), 1e-6 * result.step.ns());
  }
  EXPECT_GT(shared, 10);
}

// Neighbours are one node unless each is to be seen; either way, they compute as long.
TEST(PassDetail, OperatorsSayWhatTheyCompute) {
  const TrainingSetup setup = random_training(3);
  const StageCosts costs(setup);
  const auto compute_of = [&](PassDetail detail, bool& all_say) {
    Time sum;
    const Program program = training_program(setup, costs, detail);
    for (const ProgramPart& part : program.parts)
      for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
        const Operation& operation = part.graph[id];
        if (operation.kind != OperationKind::compute) continue;
        sum += operation.duration;
        all_say = all_say && operation.work >= 0 &&
                  static_cast<std::size_t>(operation.work) < part.graph.work_names.size();
      }
    return sum;
  };
  bool blocks_say = true, operators_say = true;
  EXPECT_EQ(compute_of(PassDetail::blocks, blocks_say), compute_of(PassDetail::operators, operators_say));
  EXPECT_FALSE(blocks_say);
  EXPECT_TRUE(operators_say);
}

}  // namespace
}  // namespace orrery::core::test::pass_detail_test
