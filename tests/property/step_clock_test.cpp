// The recurrence that says when a step ends, against the simulation of its program, and blocks that are
// remembered against those of each layout.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "study/search/layout_table.hpp"
#include "study/workloads/transformer/training_step.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "support/random_training.hpp"
#include "workload/training/layout_space.hpp"
#include "workload/training/step/step_clock.hpp"
#include "workload/training/step/training_program.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"

namespace orrery::core::test::step_clock_test {
namespace {

constexpr std::uint64_t seeds = 150;

TEST(StepClock, EndsWithTheSimulation) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const TrainingSetup setup = random_training(seed);
    SCOPED_TRACE(describe(setup));
    const StageCosts costs(setup);
    const Time end = simulate_training_step(setup).step;
    ASSERT_EQ(training_step_end(setup, costs).ps(), end.ps()) << seed;
  }
}

// Nothing that plan_of_blocks() leaves out changes what a rank does for a micro-batch.
TEST(BlockCosts, BlocksDependOnNothingElse) {
  const auto expect_same_steps = [](const std::vector<Step>& a, const std::vector<Step>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(a[i].work.index(), b[i].work.index()) << a[i].name;
      ASSERT_EQ(a[i].waits, b[i].waits) << a[i].name;
      if (const auto* exchange = std::get_if<Exchange>(&a[i].work)) {
        ASSERT_NE(exchange->axis, Axis::data) << a[i].name;
        ASSERT_EQ(exchange->axis, std::get<Exchange>(b[i].work).axis) << a[i].name;
        ASSERT_EQ(exchange->bytes, std::get<Exchange>(b[i].work).bytes) << a[i].name;
      }
    }
  };
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const TrainingSetup setup = random_training(seed);
    SCOPED_TRACE(describe(setup));
    const TransformerPlan reduced = plan_of_blocks(setup.plan);
    for (const bool experts : {false, true}) {
      const std::uint64_t with_experts = setup.model.layers_with_experts();
      if (experts ? with_experts == 0 : with_experts == setup.model.layers) continue;
      const RankBlock block =
          rank_block(experts ? BlockKind::layer_with_experts : BlockKind::layer, setup.model, setup.plan);
      const RankBlock other =
          rank_block(experts ? BlockKind::layer_with_experts : BlockKind::layer, setup.model, reduced);
      expect_same_steps(block.forward, other.forward);
      expect_same_steps(block.backward, other.backward);
      ASSERT_EQ(
          time_of_steps(block.backward, {*setup.device.model}, [](const Exchange&) { return Seconds(1e-6); })
              .total,
          time_of_steps(other.backward, {*setup.device.model}, [](const Exchange&) {
            return Seconds(1e-6);
          }).total);
    }
    const RankBlock head = rank_block(BlockKind::head, setup.model, setup.plan),
                    other_head = rank_block(BlockKind::head, setup.model, reduced);
    expect_same_steps(head.forward, other_head.forward);
    expect_same_steps(head.backward, other_head.backward);
    ASSERT_EQ(max_memory(setup, model_parts(setup.model, plan_of_weights(setup.plan))), max_memory(setup));
  }
}

// Costs that are remembered from other layouts change nothing, nor does the number of ranks with other
// samples.
TEST(BlockCosts, RememberedOrNotIsTheSameSlow) {
  for (const char* model : {"gpt3-1.3b", "mixtral-8x7b"}) {
    const std::string text =
        fmt::format("{{ model: {}, batch: {{ global: 64, micro: 1 }}, parallelism: {{ data: 32 }} }}", model);
    Warnings warnings;
    TrainingSetup setup = read_yaml_transformer(
        parse_yaml(text, "w.yaml"), read_platform(parse_yaml("dgx-a100", "p.yaml"), {}, InputLog()), {},
        InputLog(), warnings);
    BlockCosts blocks;
    LayoutSpace space;
    space.gpus = 32;
    std::size_t compared = 0;
    for (const TrainingLayout& layout : legal_layouts(setup, space).layouts) {
      take(layout, setup);
      if (layout.plan.micro_batch > 2 || layout.plan.recompute == Recompute::selective) continue;
      ASSERT_EQ(training_step_end(setup, StageCosts(setup, blocks)).ps(),
                training_step_end(setup, StageCosts(setup)).ps())
          << layout_keys(setup, layout);
      ++compared;
    }
    EXPECT_GT(compared, 100u);
  }
}

}  // namespace
}  // namespace orrery::core::test::step_clock_test
