// A pass of a micro-batch as one node takes what its operators and collectives take one by one.
#include <gtest/gtest.h>

#include "simulate/simulation.hpp"
#include "study/workloads/training_step.hpp"
#include "support/random_training.hpp"
#include "workload/training/training_program.hpp"

namespace orrery::test::pass_detail_test {
namespace {

TrainingResult run(const TrainingSetup& setup, const StageCosts& costs, PassDetail detail) {
  const Program program = training_program(setup, costs, detail);
  const Machine machine = platform_machine(setup);
  return training_result(setup, costs, program, simulate(program, machine, plan_simulation(program, machine)),
                         detail);
}

TEST(PassDetail, OneNodeTakesWhatItsBlocksTake) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const TrainingSetup setup = random_training(seed);
    if (setup.plan.micro_batches() * setup.model.layers > 4000) continue;
    SCOPED_TRACE(describe(setup));
    const StageCosts costs(setup);
    const TrainingResult one = run(setup, costs, PassDetail::one_node),
                         blocks = run(setup, costs, PassDetail::blocks);
    // Durations are rounded to picoseconds one by one.
    ASSERT_NEAR(one.step.ns(), blocks.step.ns(), 1e-6 * one.step.ns()) << seed;
    const TrainingResult operators = run(setup, costs, PassDetail::operators);
    ASSERT_NEAR(one.step.ns(), operators.step.ns(), 1e-6 * one.step.ns()) << seed;
    ++compared;
  }
  EXPECT_GT(compared, 80);
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
}  // namespace orrery::test::pass_detail_test
