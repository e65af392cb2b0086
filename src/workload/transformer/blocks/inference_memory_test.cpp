#include "workload/transformer/blocks/inference_memory.hpp"

#include <gtest/gtest.h>

#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::inference_memory_test {
namespace {

StageMemory memory_of(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage = 0) {
  return inference_memory(model, plan, stage, model_parts(model, plan));
}

TransformerPlan decoding(std::uint64_t sequences, std::uint64_t tokens) {
  return {.micro_batch = sequences, .global_batch = sequences, .forward_only = true, .seen = tokens};
}

// Keys and values of 32 layers, 4096 wide, in 16 bits: half a MiB for each token.
TEST(InferenceMemory, CachesOfLlama) {
  Transformer model = find_transformer("llama2-7b", {});
  model.sequence = 1;
  TransformerPlan plan = decoding(4, 2048);
  EXPECT_EQ(memory_of(model, plan).cache, 4.0 * 2048 * 512 * 1024);
  EXPECT_EQ(memory_of(model, plan).state.weights, 2.0 * 6'738'415'616);
  plan.cache_type = Datatype::fp8;
  EXPECT_EQ(memory_of(model, plan).cache, 2.0 * 2048 * 512 * 1024);
  // Layers have 202'383'360 parameters each; embedding, head and the last norm stay as they are.
  plan.weight_type = Datatype::int8;
  EXPECT_EQ(memory_of(model, plan).state.weights, 32.0 * 202'383'360 + 2 * (2.0 * 32000 * 4096 + 4096));
}

TEST(InferenceMemory, CompressedWeights) {
  const Transformer model = find_transformer("llama2-7b", {});
  TransformerPlan plan = decoding(4, 2048);
  const double dense = memory_of(model, plan).state.weights, products = 32 * 202'375'168.0;
  plan.sparsity.usual = {OperandSparsity(0.75), {}};
  EXPECT_EQ(memory_of(model, plan).state.weights, dense);
  plan.sparsity.usual.stored = WeightStorage::compressed;
  EXPECT_EQ(memory_of(model, plan).state.weights, dense - 2 * 0.75 * products + products / 8);
}

// Eight heads of keys are copied among 16 ranks.
TEST(InferenceMemory, HeadsOfKeysAreSharedOut) {
  Transformer model = find_transformer("llama2-70b", {});
  model.sequence = 1;
  TransformerPlan plan = decoding(1, 1000);
  const double whole = cache_bytes(model, plan);
  EXPECT_EQ(whole, 1000.0 * 2 * 8 * 128 * 2);
  plan.tensor = 8;
  EXPECT_EQ(cache_bytes(model, plan), whole / 8);
  plan.tensor = 16;
  EXPECT_EQ(cache_bytes(model, plan), whole / 8);
}

TEST(InferenceMemory, StagesShareLayersAndCache) {
  Transformer model = find_transformer("llama2-7b", {});
  model.sequence = 1;
  TransformerPlan plan = decoding(4, 2048);
  const StageMemory whole = memory_of(model, plan);
  plan.pipeline = 2;
  const StageMemory first = memory_of(model, plan, 0), last = memory_of(model, plan, 1);
  EXPECT_EQ(first.cache + last.cache, whole.cache);
  EXPECT_EQ(first.state.weights + last.state.weights, whole.state.weights);
  EXPECT_EQ(first.head, 0);
}

TEST(InferenceMemory, EncodersKeepNoKeysAndValues) {
  const Transformer model = find_transformer("bert-large", {});
  const TransformerPlan plan{.micro_batch = 8, .global_batch = 8, .forward_only = true};
  EXPECT_EQ(memory_of(model, plan).cache, 0);
  EXPECT_EQ(memory_of(model, plan).state.gradients, 0);
}

}  // namespace
}  // namespace orrery::core::inference_memory_test
