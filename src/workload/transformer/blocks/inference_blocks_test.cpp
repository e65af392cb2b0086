// Blocks of inference: no backward pass, and keys and values from memory.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/block_steps.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::inference_blocks_test {
namespace {

using test::exchanges;
using test::product_flops;

// Decoding multiplies one token of each sequence, and attends to all that are kept, none of them masked.
TEST(InferenceBlocks, decoding_reads_keys_and_values) {
  Transformer model = find_transformer("llama2-70b", {});
  model.sequence = 1;
  const TransformerPlan plan{.tensor = 4,
                             .micro_batch = 16,
                             .global_batch = 16,
                             .attention = AttentionKind::flash,
                             .forward_only = true,
                             .weight_type = Datatype::fp8,
                             .cache_type = Datatype::int8,
                             .seen = 2048};
  const RankBlock block = rank_block(BlockKind::layer, model, plan);
  EXPECT_TRUE(block.backward.empty());
  EXPECT_FALSE(block.parameters.empty());
  for (const Step& step : block.forward) {
    const auto* op = std::get_if<Operator>(&step.work);
    if (!op) continue;
    if (const auto* gemm = std::get_if<Gemm>(&op->work)) {
      EXPECT_EQ(gemm->m, 16u) << op->name;
      EXPECT_EQ(op->stored, Datatype::fp8) << op->name;
    }
    if (const auto* attention = std::get_if<Attention>(&op->work)) {
      EXPECT_EQ(*attention, (Attention{1, 2048, 16 * 64 / 4, 16 * 8 / 4, 128, 128, false, false}));
      EXPECT_EQ(op->stored, Datatype::int8);
    }
  }
  const auto all_reduces = exchanges(block.forward, Axis::tensor).at("all-reduce");
  EXPECT_EQ(all_reduces, (std::vector<double>{16 * 8192 * 2.0, 16 * 8192 * 2.0}));
}

// Of a prompt, the head sees the last token, and chooses the largest of its logits.
TEST(InferenceBlocks, prefill_ends_with_the_last_token) {
  const Transformer model = find_transformer("llama2-7b", {});
  const TransformerPlan plan{.micro_batch = 8, .global_batch = 8, .forward_only = true, .predicted = 1};
  const RankBlock block = rank_block(BlockKind::head, model, plan);
  std::vector<std::string> names;
  for (const Step& step : block.forward) names.push_back(step.name);
  EXPECT_EQ(names, (std::vector<std::string>{"final norm", "predicted tokens", "head", "largest logit"}));
  EXPECT_EQ(product_flops(block.forward), 2 * 8 * 4096.0 * 32000);
}

// Inference drops nothing.
TEST(InferenceBlocks, inference_has_no_dropout) {
  const Transformer model = find_transformer("gpt3-1.3b", {});
  const auto names = [&](bool forward_only) {
    std::set<std::string> found;
    for (const BlockKind kind : {BlockKind::embedding, BlockKind::layer})
      for (const Step& step : rank_block(kind, model, {.forward_only = forward_only}).forward)
        found.insert(step.name);
    return found;
  };
  EXPECT_TRUE(names(false).contains("attention dropout"));
  EXPECT_TRUE(names(false).contains("embedding dropout"));
  EXPECT_FALSE(names(true).contains("attention dropout"));
  EXPECT_FALSE(names(true).contains("embedding dropout"));
}

}  // namespace
}  // namespace orrery::core::inference_blocks_test
