// Blocks of encoders: masked heads, and sequences that are not padded.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/block_steps.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::encoder_blocks_test {
namespace {

using test::exchanges;
using test::product_flops;

// The head of BERT works on 15 % of 512 tokens. Its first product, its pooler and its classes belong to it.
TEST(EncoderBlocks, a_masked_head_sees_the_tokens_that_it_finds) {
  const Transformer model = find_transformer("bert-large", {});
  const TransformerPlan plan{.micro_batch = 4};
  const RankBlock block = rank_block(BlockKind::head, model, plan);
  std::map<std::string, Gemm> products;
  for (const Step& step : block.forward)
    if (const auto* op = std::get_if<Operator>(&step.work))
      if (const auto* gemm = std::get_if<Gemm>(&op->work)) products[op->name] = *gemm;
  EXPECT_EQ(products.at("head transform"), (Gemm{4 * 77, 1024, 1024}));
  EXPECT_EQ(products.at("head"), (Gemm{4 * 77, padded_vocabulary(model, plan), 1024}));
  EXPECT_EQ(products.at("pooler"), (Gemm{4, 1024, 1024}));
  EXPECT_EQ(products.at("classifier"), (Gemm{4, 2, 1024}));
}

// Whatever cuts the tokens, a rank's part of the head multiplies as much as one rank alone, divided among
// those that share the vocabulary.
TEST(EncoderBlocks, a_masked_head_takes_its_tokens_from_all_ranks) {
  const Transformer model = find_transformer("bert-large", {});
  for (const TransformerPlan& plan :
       {TransformerPlan{.tensor = 4}, TransformerPlan{.tensor = 4, .sequence_parallel = true},
        TransformerPlan{.context = 4}}) {
    const RankBlock block = rank_block(BlockKind::head, model, plan);
    const auto of_sequence = plan.context > 1 ? Axis::context : Axis::tensor;
    const bool cut = plan.context > 1 || plan.sequence_parallel;
    EXPECT_EQ(exchanges(block.forward, of_sequence).contains("all-reduce"), cut || plan.tensor > 1);
    for (const Step& step : block.forward)
      if (const auto* op = std::get_if<Operator>(&step.work); op && op->name == "head") {
        EXPECT_EQ(std::get<Gemm>(op->work).m, 77u);
      }
  }
}

// Packed sequences: products have the tokens that there are, attention multiplies each with those of its own
// sequence.
TEST(EncoderBlocks, attention_sees_other_tokens_than_the_mean_sequence_has) {
  Transformer model = find_transformer("bert-large", {});
  model.sequence = 256;
  TransformerPlan plan{.micro_batch = 2, .seen = 385};
  for (const AttentionKind attention : {AttentionKind::naive, AttentionKind::flash}) {
    plan.attention = attention;
    double scores = 0;
    for (const Step& step : rank_block(BlockKind::layer, model, plan).forward)
      if (const auto* op = std::get_if<Operator>(&step.work)) {
        if (op->name == "scores" || op->name == "context") scores += product_flops({step});
        if (op->name == "qkv") {
          EXPECT_EQ(std::get<Gemm>(op->work).m, 512u);
        }
      }
    EXPECT_EQ(scores, 2 * 2 * 2 * 256.0 * 385 * 1024);
  }
}

}  // namespace
}  // namespace orrery::core::encoder_blocks_test
