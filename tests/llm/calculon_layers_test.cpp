// Operators of a transformer layer against those of Calculon: the same operations and bytes, but where it
// counts otherwise. What differs:
// - Q, K and V are one product here, which reads its input once and writes one gradient of it.
// - Dropout and the residual addition are one pass here; the addition's gradient is that of its result.
// - Backward passes of norms, softmax and activation functions read their result's gradient and a value, and
//   write: three passes, where Calculon counts two.
// - Attention's products have two input gradients, each with three operands; Calculon counts the bytes of
// one.
// - Where two gradients meet, an addition per element is counted, not two.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "support/csv_table.hpp"
#include "support/source_dir.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::test::calculon_layers_test {
namespace {

struct Work {
  double flops = 0, bytes = 0;
};

struct LayerCase {
  const char *model, *mode, *word;
  TransformerPlan plan;
};

const LayerCase cases[] = {
    {"gpt3-175B", "full", "gpt3-175b", {.tensor = 8, .type = Datatype::fp16, .recompute = Recompute::full}},
    {"gpt3-175B",
     "seqsel",
     "gpt3-175b",
     {.tensor = 8, .sequence_parallel = true, .type = Datatype::fp16, .recompute = Recompute::selective}},
    {"megatron-22B",
     "seqsel",
     "megatron-22b",
     {.tensor = 8,
      .sequence_parallel = true,
      .micro_batch = 4,
      .type = Datatype::fp16,
      .recompute = Recompute::selective}},
};

std::map<std::string, CsvRow> rows_of(const LayerCase& c) {
  std::map<std::string, CsvRow> rows;
  for (const CsvRow& row : read_csv(test::source_dir() + "/tests/llm/calculon_layers.csv"))
    if (row.text("model") == c.model && row.text("mode") == c.mode) rows[row.text("name")] = row;
  return rows;
}

Work work_of(const Operator& op) {
  if (const auto* g = std::get_if<Gemm>(&op.work)) {
    const double m = double(g->m), n = double(g->n), k = double(g->k), batch = double(g->batch);
    return {2 * m * n * k * batch, 2 * (m * k + k * n + m * n) * batch};
  }
  const auto& e = std::get<Elementwise>(op.work);
  return {e.flops, 2 * double(e.elements_read + e.elements_written)};
}

Work ours(const RankBlock& block, std::string_view name, StepPhase phase) {
  Work sum;
  for (const Step& step : phase == StepPhase::forward ? block.forward : block.backward) {
    const auto* op = std::get_if<Operator>(&step.work);
    if (!op || step.name != name || step.phase != phase) continue;
    const Work work = work_of(*op);
    sum.flops += work.flops;
    sum.bytes += work.bytes;
  }
  return sum;
}

Work theirs(const std::map<std::string, CsvRow>& rows, const std::vector<std::string>& names,
            StepPhase phase) {
  const std::string column = phase == StepPhase::forward          ? "fw"
                             : phase == StepPhase::input_gradient ? "agrad"
                                                                  : "wgrad";
  Work sum;
  for (const std::string& name : names) {
    sum.flops += rows.at(name).number(column + "_flops");
    sum.bytes += rows.at(name).number(column + "_mem_accessed");
  }
  return sum;
}

// Bytes of one pass over a tensor.
struct Passes {
  double tokens;    // hidden vectors outside of what tensor parallelism cuts
  double gathered;  // of all tokens
  double scores, wide, bias;

  Passes(const Transformer& model, const TransformerPlan& plan) {
    const double rows = double(plan.micro_batch * model.sequence), t = double(plan.tensor);
    bias = 2 * double(model.hidden);
    gathered = rows * bias;
    tokens = plan.sequence_parallel ? gathered / t : gathered;
    scores = 2 * rows * double(model.sequence) * double(model.heads) / t;
    wide = 2 * rows * double(model.ffn) / t;
  }
};

class CalculonLayer : public testing::TestWithParam<LayerCase> {
 protected:
  const Transformer model = find_transformer(GetParam().word, {});
  const TransformerPlan plan = GetParam().plan;
  const RankBlock block = rank_block(BlockKind::layer, model, plan);
  const std::map<std::string, CsvRow> rows = rows_of(GetParam());
  const Passes pass{model, plan};

  void expect(std::string_view name, const std::vector<std::string>& names, StepPhase phase,
              double more_bytes = 0, double more_flops = 0) {
    const Work a = ours(block, name, phase), b = theirs(rows, names, phase);
    EXPECT_EQ(a.flops, b.flops + more_flops) << name;
    EXPECT_EQ(a.bytes, b.bytes + more_bytes) << name;
  }
};

constexpr StepPhase forward = StepPhase::forward, input = StepPhase::input_gradient,
                    weight = StepPhase::weight_gradient;

TEST_P(CalculonLayer, products) {
  const std::pair<const char*, const char*> same[] = {
      {"projection", "AttnBlock_MLP"}, {"mlp up", "MlpBlock_Mlp1"}, {"mlp down", "MlpBlock_Mlp2"}};
  for (const auto& [mine, its] : same)
    for (const StepPhase phase : {forward, input, weight}) expect(mine, {its}, phase);
  for (const StepPhase phase : {forward, input, weight})
    expect("qkv", {"AttnBlock_Query", "AttnBlock_Key", "AttnBlock_Value"}, phase, -2 * pass.gathered);
}

TEST_P(CalculonLayer, attention) {
  const std::pair<const char*, const char*> same[] = {{"scores", "AttnBlock_Multihead_Key_Query"},
                                                      {"context", "AttnBlock_Multihead_Attn"}};
  for (const auto& [mine, its] : same) {
    expect(mine, {its}, forward);
    expect(mine, {its}, input, theirs(rows, {its}, input).bytes);
  }
  expect("softmax", {"AttnBlock_Multihead_SoftMax"}, forward);
  expect("softmax", {"AttnBlock_Multihead_SoftMax"}, input, pass.scores);
  expect("attention dropout", {"AttnBlock_Multihead_DropOut"}, forward);
  expect("attention dropout", {"AttnBlock_Multihead_DropOut"}, input);
}

TEST_P(CalculonLayer, norms_and_activation) {
  for (const auto& [mine, its] :
       {std::pair{"attention norm", "AttnBlock_LayerNorm"}, std::pair{"mlp norm", "MlpBlock_LayerNorm"}}) {
    expect(mine, {its}, forward);
    expect(mine, {its}, input, pass.tokens);
    expect(mine, {its}, weight);
  }
  expect("mlp activation", {"MlpBlock_GeLU"}, forward);
  expect("mlp activation", {"MlpBlock_GeLU"}, input, pass.wide);
}

TEST_P(CalculonLayer, residual_connections) {
  for (const std::string block_name : {"Attn", "Mlp"}) {
    const std::vector<std::string> both{block_name + "Block_DropOut", block_name + "Block_Residual"};
    const std::string mine = block_name == "Attn" ? "attention residual" : "mlp residual";
    expect(mine, both, forward, pass.bias - 2 * pass.tokens);
    // Calculon's addition has two operations and three passes backward.
    expect(mine, both, input, -3 * pass.tokens, -pass.tokens);
    const std::string meeting = block_name == "Attn" ? "gradient of input" : "gradient of attention residual";
    expect(meeting, {block_name + "Block_Fork"}, input, 0, -pass.tokens / 2);
  }
}

TEST_P(CalculonLayer, collectives) {
  double sums[3] = {0, 0, 0};  // forward, backward, again
  for (const Step& step : block.forward)
    if (const auto* exchange = std::get_if<Exchange>(&step.work)) sums[0] += exchange->bytes;
  for (const Step& step : block.backward)
    if (const auto* exchange = std::get_if<Exchange>(&step.work))
      sums[step.phase == StepPhase::input_gradient ? 1 : 2] += exchange->bytes;
  double expected[3] = {0, 0, 0};
  for (const auto& [name, row] : rows) {
    expected[0] += row.number("baseblock_fw_tp_comm_size");
    expected[1] += row.number("baseblock_bw_tp_comm_size");
    expected[2] += row.number("baseblock_recomm_size");
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sums[i], expected[i]) << i;
}

TEST_P(CalculonLayer, weights) {
  double bytes = 0, expected = 0;
  for (const Parameter& parameter : block.parameters)
    if (parameter.name.find("bias") == std::string::npos || parameter.name.find("norm") != std::string::npos)
      bytes += 2 * double(parameter.elements);
  for (const auto& [name, row] : rows) expected += row.number("weight");
  EXPECT_EQ(bytes, expected);  // which has no biases of products
}

std::string printed(const testing::TestParamInfo<LayerCase>& given) {
  std::string name = fmt::format("{}_{}", given.param.word, given.param.mode);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, CalculonLayer, testing::ValuesIn(cases), printed);

}  // namespace
}  // namespace orrery::core::test::calculon_layers_test
