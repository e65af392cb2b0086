#include "workload/transformer/blocks/transformer_memory.hpp"

#include <gtest/gtest.h>

#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery::core::transformer_memory_test {
namespace {

// Korthikanti et al., 2022, table 2: bytes per layer in units of s b h, with x = a s / h.
TEST(TransformerMemory, activations_of_a_layer) {
  const Transformer model = find_transformer("megatron-22b", {});
  const double sbh = 2048.0 * 4 * 6144, x = 64 * 2048.0 / 6144, t = 8;
  TransformerPlan plan{.micro_batch = 4};
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), sbh * (34 + 5 * x));
  plan.tensor = 8;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), sbh * (10 + 24 / t + 5 * x / t));
  plan.recompute = Recompute::selective;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), sbh * (10 + 24 / t));
  plan.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), 34 * sbh / t);
  plan.recompute = Recompute::none;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), sbh / t * (34 + 5 * x));
  plan.recompute = Recompute::full;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), 2 * sbh / t);
  EXPECT_DOUBLE_EQ(layer_working_bytes(model, plan), sbh / t * (34 + 5 * x));
  plan.sequence_parallel = false;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), 2 * sbh);
}

// The model has no dropout, flash attention, eight heads of keys, and a gated MLP of 3.5 h. It keeps two
// inputs of norms, of QKV, projection and MLP each, queries, keys and values (1 + 2 / 4), three tensors of
// 3.5 h, and sums of exponentials.
TEST(TransformerMemory, activations_of_llama) {
  const Transformer model = find_transformer("llama3-8b", {});
  const double tokens = 8192, h = 4096;
  TransformerPlan plan{.attention = AttentionKind::flash};
  const double expected = tokens * h * 2 * (5 + 1.5 + 3 * 3.5) + 4 * 32 * tokens;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), expected);
  plan.context = 4;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan), expected / 4);
}

// Two of eight experts take the place of one MLP; their tokens and 4 E bytes of choice come on top.
TEST(TransformerMemory, activations_of_experts) {
  const Transformer model = find_transformer("mixtral-8x7b", {});
  const TransformerPlan plan{.attention = AttentionKind::flash};
  const double tokens = 4096, inside = 3 * tokens * 14336 * 2;
  EXPECT_DOUBLE_EQ(layer_activation_bytes(model, plan, true) - layer_activation_bytes(model, plan, false),
                   inside + 2 * tokens * 4096 * 2 + 4 * tokens * 8);
}

// All ranks together hold every weight once for each copy of the model. Norms, biases of rows and positions
// are the exception: every rank of tensor parallelism holds them.
TEST(TransformerMemory, parameters_of_ranks) {
  const Transformer model = find_transformer("gpt3-175b", {});
  const TransformerPlan plan{.tensor = 8, .pipeline = 8, .chunks = 3};
  std::uint64_t sum = 0;
  for (std::uint64_t stage = 0; stage < 8; ++stage)
    sum += 8 * rank_parameters(model, plan, stage, model_parts(model, plan)).held.total();
  const TransformerParameters whole = transformer_parameters(model);
  const std::uint64_t h = model.hidden, copies = 96 * (4 * h + 2 * h) + whole.positions + whole.final_norm;
  EXPECT_EQ(sum, whole.total() + 7 * copies + model.vocabulary * h);  // the head is a copy of the embedding
  EXPECT_EQ(rank_parameters(model, {}, 0, model_parts(model, {})).held.total(), whole.total());
}

TEST(TransformerMemory, parameters_of_experts) {
  const Transformer model = find_transformer("mixtral-8x7b", {});
  const TransformerPlan plan{.expert = 4, .data = 8};
  const BlockParameters held = rank_parameters(model, plan, 0, model_parts(model, plan)).held;
  EXPECT_EQ(held.experts, 32ull * 2 * 3 * 4096 * 14336);
  EXPECT_EQ(held.dense, transformer_parameters(model).total() - 32ull * 8 * 3 * 4096 * 14336);
}

// Dense parameters are shared out among eight ranks, experts among the two that have the same.
TEST(TransformerMemory, state_under_zero) {
  const Transformer model = find_transformer("mixtral-8x7b", {});
  TransformerPlan plan{.expert = 4, .data = 8, .zero = 1};
  const BlockParameters held = rank_parameters(model, plan, 0, model_parts(model, plan)).held;
  const auto state = [&] {
    return rank_state(model, plan, 0, Optimizer::adam, Precision::mixed, model_parts(model, plan));
  };
  const double dense = double(held.dense), experts = double(held.experts);
  EXPECT_DOUBLE_EQ(state().total(), 4 * (dense + experts) + 12 * (dense / 8 + experts / 2));
  plan.zero = 3;
  // Two bytes of each weight of two neighbouring layers besides.
  const double layers = 2 * double(layer_parameters(model, true).total() - 6 * 3ull * 4096 * 14336);
  EXPECT_DOUBLE_EQ(state().total(), 16 * (dense / 8 + experts / 2) + 2 * layers);
}

// A layer of Llama 2 7B has 202'375'168 weights in products, of which 2:4 keeps half, with two bits each that
// every rank has. Norms, embedding and head stay as they are.
TEST(TransformerMemory, compressed_weights) {
  const Transformer model = find_transformer("llama2-7b", {});
  TransformerPlan plan{.data = 4};
  const auto state = [&] {
    return rank_state(model, plan, 0, Optimizer::adam, Precision::mixed, model_parts(model, plan));
  };
  plan.sparsity.usual.weights = OperandSparsity(BlockPattern{2, 4});
  const double all = double(transformer_parameters(model).total()), left_out = 16 * 202'375'168.0;
  EXPECT_DOUBLE_EQ(state().total(), 16 * all) << "masks over dense weights save nothing";
  plan.sparsity.usual.stored = WeightStorage::compressed;
  const double kept = all - left_out, index = left_out / 4;
  EXPECT_DOUBLE_EQ(state().weights, 2 * kept + index);
  EXPECT_DOUBLE_EQ(state().gradients, 2 * kept);
  EXPECT_DOUBLE_EQ(state().optimizer, 12 * kept);
  plan.zero = 2;
  EXPECT_DOUBLE_EQ(state().total(), 2 * kept + index + 14 * kept / 4);
}

// Each of two ranks has four of the experts for itself, so there is nothing to gather.
TEST(TransformerMemory, experts_without_copies_are_not_gathered) {
  const Transformer model = find_transformer("mixtral-8x7b", {});
  TransformerPlan plan{.expert = 2, .data = 2, .zero = 3};
  const std::uint64_t experts = 8ull * 3 * 4096 * 14336;
  const std::uint64_t dense = layer_parameters(model, true).total() - experts;
  EXPECT_EQ(rank_parameters(model, plan, 0, model_parts(model, plan)).gathered,
            dense + 32000ull * 4096 + 4096);  // the head is larger
  const auto bytes = [&] {
    return rank_state(model, plan, 0, Optimizer::adam, Precision::mixed, model_parts(model, plan)).total();
  };
  const double sharded = bytes();
  plan.zero = 2;
  EXPECT_LT(sharded, bytes());
}

// Under selective recomputation a layer's softmax and dropout are there once: 5 a s^2 b / t bytes.
TEST(TransformerMemory, scores_are_there_while_they_are_recomputed) {
  const Transformer model = find_transformer("gpt3-1.3b", {});
  TransformerPlan plan{.tensor = 2, .pipeline = 8, .global_batch = 64, .recompute = Recompute::selective};
  const auto working = [&] {
    return stage_memory(model, plan, 3, PipelineSchedule::one_forward_one_backward, Optimizer::adam,
                        Precision::mixed, model_parts(model, plan))
        .working;
  };
  EXPECT_DOUBLE_EQ(working(), 5 * double(model.heads) * 2048 * 2048 / 2);
  plan.attention = AttentionKind::flash;
  EXPECT_EQ(working(), 0);
}

TEST(TransformerMemory, stages_add_what_they_hold) {
  const Transformer model = find_transformer("gpt3-175b", {});
  const TransformerPlan plan{.tensor = 8,
                             .pipeline = 8,
                             .sequence_parallel = true,
                             .global_batch = 64,
                             .recompute = Recompute::full};
  const auto memory = [&](std::uint64_t stage) {
    return stage_memory(model, plan, stage, PipelineSchedule::one_forward_one_backward, Optimizer::adam,
                        Precision::mixed, model_parts(model, plan));
  };
  const double sbh = 2048.0 * 12288;
  EXPECT_DOUBLE_EQ(memory(0).activations, 8 * 12 * 2 * sbh / 8);
  EXPECT_DOUBLE_EQ(memory(0).embedding, sbh * 8 / 8);  // of eight micro-batches
  EXPECT_EQ(memory(0).head, 0);
  EXPECT_DOUBLE_EQ(memory(7).activations, 12 * 2 * sbh / 8);
  // 4 s b h / t (1 + V / h)
  EXPECT_DOUBLE_EQ(memory(7).head, 4 * sbh / 8 * (1 + 51200.0 / 12288));
  // The working memory is that of one layer, without the layer's input, which is among the inputs that are
  // kept.
  EXPECT_DOUBLE_EQ(memory(3).working, layer_working_bytes(model, plan) - 2 * sbh / 8);
  EXPECT_EQ(memory(3).embedding + memory(3).head, 0);
}

}  // namespace
}  // namespace orrery::core::transformer_memory_test
