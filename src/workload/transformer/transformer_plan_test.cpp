#include "workload/transformer/transformer_plan.hpp"

#include <gtest/gtest.h>

#include <string>

#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::transformer_plan_test {
namespace {

using Texts = std::vector<std::string>;

Texts errors(const char* word, const TransformerPlan& plan) {
  Texts texts;
  const auto where = [](std::string_view key) { return SourceLocation{std::string(key)}; };
  for (const InputError& error : errors_of_plan(find_transformer(word, {}), plan, where))
    texts.push_back(error.what());
  return texts;
}

TEST(TransformerPlan, plans_that_fit) {
  EXPECT_EQ(errors("gpt3-175b", {.tensor = 8, .pipeline = 8, .sequence_parallel = true, .chunks = 3}),
            Texts{});
  EXPECT_EQ(errors("llama3-70b", {.tensor = 16, .context = 2}), Texts{});  // eight heads of keys are copied
  EXPECT_EQ(errors("deepseek-v3", {.tensor = 2, .expert = 64, .data = 64, .global_batch = 64}), Texts{});
}

TEST(TransformerPlan, tensor) {
  EXPECT_EQ(errors("gpt3-175b", {.tensor = 7}),
            (Texts{"tensor: error: `tensor` has to divide the number of heads, 96, but is 7; use 6 or 8",
                   "tensor: error: `tensor` has to divide the MLP's width, 49152, but is 7; use 6 or 8"}));
  EXPECT_EQ(errors("llama3-70b", {.tensor = 128})[0],
            "tensor: error: `tensor` has to divide the number of heads, 64, but is 128; use 64");
  EXPECT_EQ(errors("mixtral-8x7b", {.tensor = 32, .data = 1}), Texts{});
  EXPECT_EQ(errors("grok-1", {.tensor = 12})[0],
            "tensor: error: 8 heads of keys and values can neither be shared out among 12 ranks nor be "
            "copied evenly; "
            "use 8 or 16");
}

// 43 and 64 divide the MLP's width, but not the number of heads.
TEST(TransformerPlan, a_suggested_degree_divides_everything) {
  Transformer model = find_transformer("llama3-8b", {});
  model.hidden = 1536;
  model.heads = model.kv_heads = 96;
  model.ffn = 11008;
  const auto where = [](std::string_view key) { return SourceLocation{std::string(key)}; };
  TransformerPlan plan;
  plan.tensor = 48;
  const auto errors_at_48 = errors_of_plan(model, plan, where);
  ASSERT_EQ(errors_at_48.size(), 1U);
  EXPECT_STREQ(errors_at_48[0].what(),
               "tensor: error: `tensor` has to divide the MLP's width, 11008, but is 48; use 32");
  plan.tensor = 32;
  EXPECT_TRUE(errors_of_plan(model, plan, where).empty());
}

TEST(TransformerPlan, sequence) {
  EXPECT_EQ(errors("gpt3-175b", {.sequence_parallel = true}),
            (Texts{"sequence: error: sequence parallelism is a part of tensor parallelism; use "
                   "`tensor` above "
                   "1, or leave it out"}));
  EXPECT_EQ(
      errors("gpt3-175b", {.tensor = 6, .sequence_parallel = true}),
      (Texts{
          "tensor: error: with sequence parallelism `tensor` has to divide the 2048 tokens of a rank, but is "
          "6; use 4 or 8"}));
  EXPECT_EQ(errors("gpt3-175b", {.context = 3}),
            (Texts{"context: error: `context` has to divide the sequence, 2048, but is 3; use 2 or 4"}));
  EXPECT_EQ(errors("gpt3-175b", {.tensor = 8, .context = 8, .context_exchange = ContextExchange::all_to_all}),
            (Texts{"context: error: `context` has to divide the heads of a rank, 12, but is 8; use 4"}));
}

TEST(TransformerPlan, experts) {
  EXPECT_EQ(errors("gpt3-175b", {.expert = 2, .data = 2, .global_batch = 2}),
            (Texts{"expert: error: this model has no experts to share out; use 1"}));
  EXPECT_EQ(errors("mixtral-8x7b", {.expert = 6, .data = 12, .global_batch = 12}),
            (Texts{"expert: error: `expert` has to divide 8 experts and 12 ranks of data parallelism, but is "
                   "6; use 4"}));
}

TEST(TransformerPlan, pipeline_and_batch) {
  EXPECT_EQ(errors("gpt3-175b", {.pipeline = 5}),
            (Texts{"pipeline: error: `pipeline` has to divide the number of layers, 96, but is 5; use 4 or "
                   "6, or give `layers-per-stage`"}));
  EXPECT_EQ(errors("gpt3-175b", {.pipeline = 8, .chunks = 5}),
            (Texts{"virtual-stages: error: `virtual-stages` has to divide the layers of a stage, 12, but is "
                   "5; use 4 or 6"}));
  EXPECT_EQ(errors("gpt3-175b", {.chunks = 2}),
            (Texts{"virtual-stages: error: one stage has nothing to interleave; use 1"}));
  EXPECT_EQ(errors("gpt3-175b", {.data = 4, .micro_batch = 2, .global_batch = 12}),
            (Texts{"global: error: `global` has to be a multiple of `micro` times `data`, 8, but is "
                   "12; use 8 or 16"}));
  EXPECT_EQ(errors("gpt3-175b", {.data = 4, .global_batch = 1}),
            (Texts{"global: error: `global` has to be a multiple of `micro` times `data`, 4, but is "
                   "1; use 4"}));
}

TEST(TransformerPlan, vocabulary_is_padded_as_in_megatron) {
  const Transformer model = find_transformer("gpt-neo-2.7b", {});  // 50257
  EXPECT_EQ(padded_vocabulary(model, {}), 50304u);
  EXPECT_EQ(padded_vocabulary(model, {.tensor = 8}), 51200u);
}

}  // namespace
}  // namespace orrery::core::transformer_plan_test
