// Trains models with sparse weights and activations, and compares times with closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/csv_table.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::test::sparsity_test {
namespace {

// Two layers of equal products, on a device of round numbers: each product takes 2 * 4096^3 / 1 PFLOP/s.
constexpr const char* network = R"(
name: two
parameters: { batch: 4096 }
input: [4096]
layers: [ { name: a, fully-connected: 4096, bias: false }, { name: b, fully-connected: 4096, bias: false } ]
)";
constexpr double product_us = 2.0 * 4096 * 4096 * 4096 / 1e15 * 1e6;

std::string device_with(const std::string& constants) {
  return fmt::format(R"(
name: round
matrix-peak: {{ fp16: 1000 TFLOP/s }}
memory: {{ bandwidth: 1000 TB/s }}
processors: 1
roofline: {{ launch: 0 us, matrix-efficiency: 1, memory-efficiency: 1, tile-time: 0 us, exposed-share: 0,
             unaligned-slowdown: 1, tiles: [[4096, 4096]]{} }}
)",
                     constants);
}

// Returns how many products' time a training step computes.
double products_of_step(const std::string& constants, const std::string& sparsity,
                        std::string* said = nullptr) {
  const TemporaryFolder scratch;
  const std::string folder = scratch.path().string();
  write_file_atomically(folder + "/two.yaml", network);
  write_file_atomically(folder + "/round.yaml", device_with(constants));
  write_file_atomically(folder + "/e.yaml", fmt::format(R"(
name: e
network: [ {{ topology: ring, size: 2, bandwidth: 25 GB/s, latency: 1 us }} ]
device: ./round.yaml
workload: {{ model: ./two.yaml{} }}
)",
                                                        sparsity));
  const Outcome outcome = run_orrery({folder + "/e.yaml", "--output=" + folder});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  if (said)
    *said = outcome.error;
  else
    EXPECT_EQ(outcome.error, "");
  const CsvRow run = read_csv(folder + "/e/runs.csv").at(0);
  return (run.number("compute_us") - run.number("update_us")) / product_us;
}

// The first layer has no input gradient: there are five products, of which two are forward ones, one is an
// input gradient and two are weight gradients.
TEST(SparseTraining, PatternsOfWeightsMakeForwardPassesFaster) {
  constexpr double rounding = 0.0001;
  const std::string knows = ", structured-speedup: 2";
  EXPECT_NEAR(products_of_step(knows, ""), 5, rounding);
  EXPECT_NEAR(products_of_step(knows, ", sparsity: { weights: 2:4 }"), 2 * 0.5 + 1 + 2, rounding);
  EXPECT_NEAR(products_of_step(knows, ", sparsity: { weights: 2:4, transposable: true }"), 2 * 0.5 + 0.5 + 2,
              rounding);
  EXPECT_NEAR(products_of_step(knows, ", sparsity: { activations: 1:4, transposable: true }"),
              2 * 0.5 + 1 + 2 * 0.5, rounding);
  EXPECT_NEAR(
      products_of_step(", structured-speedup: 4, structured-pattern: 1:4", ", sparsity: { weights: 1:4 }"),
      2 * 0.25 + 1 + 2, rounding);
}

TEST(SparseTraining, LayersMayHaveZerosOfTheirOwn) {
  const std::string knows = ", structured-speedup: 2";
  EXPECT_NEAR(products_of_step(knows, ", sparsity: { weights: 2:4, layers: { b: { weights: dense } } }"), 4.5,
              0.0001);
  EXPECT_NEAR(products_of_step(knows, ", sparsity: { layers: { b: { weights: 2:4, transposable: true } } }"),
              4, 0.0001);
}

// Weights meet the forward pass and the input gradient, activations the forward pass and the weight gradient.
TEST(SparseTraining, ZerosAnywhereAreSkippedWhereTheDeviceDoes) {
  EXPECT_NEAR(products_of_step(", zero-skipping: 0.5", ", sparsity: { weights: 0.8, activations: 0.5 }"),
              2 * (1 - 0.5 * (1 - 0.2 * 0.5)) + (1 - 0.5 * 0.8) + 2 * (1 - 0.5 * 0.5), 0.0001);
  std::string said;
  EXPECT_NEAR(products_of_step("", ", sparsity: { weights: 0.8 }", &said), 5, 0.0001);
  EXPECT_NE(said.find("warning: round skips no zeros (its `zero-skipping` is 0)"), std::string::npos) << said;
}

// The products of weights that are forward passes, and those with a pattern, in a list of steps.
struct Products {
  int all = 0, with_pattern = 0;
};
Products products_of(const std::vector<Step>& steps, StepPhase phase) {
  Products products;
  for (const Step& step : steps) {
    const auto* op = std::get_if<Operator>(&step.work);
    if (!op || step.phase != phase || !std::holds_alternative<Gemm>(op->work)) continue;
    ++products.all;
    if (op->sparsity.has_pattern()) ++products.with_pattern;
  }
  return products;
}

// Attention is fused here, so that all products of a layer are those of its weights.
TEST(SparseTraining, TransformersHaveZerosInTheirLayersProducts) {
  const Transformer model = find_transformer("gpt3-125m", {});
  TransformerPlan plan;
  plan.attention = AttentionKind::flash;
  plan.sparsity.usual.weights = OperandSparsity(BlockPattern{2, 4});
  const RankBlock layer = rank_block(BlockKind::layer, model, plan);
  const std::vector<std::string> names = weighted_products(model, plan);
  const Products forward = products_of(layer.forward, StepPhase::forward);
  EXPECT_EQ(forward.all, static_cast<int>(names.size()));
  EXPECT_EQ(forward.with_pattern, forward.all);
  EXPECT_EQ(products_of(layer.backward, StepPhase::input_gradient).with_pattern, 0);
  plan.sparsity.usual.transposable = true;
  const RankBlock both = rank_block(BlockKind::layer, model, plan);
  EXPECT_EQ(products_of(both.backward, StepPhase::input_gradient).with_pattern, forward.all);
  EXPECT_EQ(products_of(both.backward, StepPhase::weight_gradient).with_pattern, 0);
  plan.sparsity.own.push_back({names.front(), {}, {}});
  EXPECT_EQ(products_of(rank_block(BlockKind::layer, model, plan).forward, StepPhase::forward).with_pattern,
            forward.all - 1);
  EXPECT_EQ(products_of(rank_block(BlockKind::head, model, plan).forward, StepPhase::forward).with_pattern,
            0);
}

}  // namespace
}  // namespace orrery::core::test::sparsity_test
