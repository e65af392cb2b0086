#include "workload/transformer/blocks/transformer_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "support/block_steps.hpp"
#include "workload/transformer/blocks/transformer_memory.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"
#include "workload/transformer/model_flops.hpp"

namespace orrery::core::transformer_blocks_test {
namespace {

using test::exchanges;
using test::product_flops;

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

using Collectives = std::map<std::string, std::vector<double>>;

// Narayanan et al., 2021, section 3.2: two all-reduces forward and two backward, of all tokens.
TEST(TransformerBlocks, tensor_parallelism) {
  const Transformer model = find_transformer("gpt3-175b", {});
  TransformerPlan plan{.tensor = 8, .micro_batch = 2};
  const double bytes = 2 * 2048.0 * 12288 * 2;
  const RankBlock block = rank_block(BlockKind::layer, model, plan);
  EXPECT_EQ(exchanges(block.forward, Axis::tensor), (Collectives{{"all-reduce", {bytes, bytes}}}));
  EXPECT_EQ(exchanges(block.backward, Axis::tensor), (Collectives{{"all-reduce", {bytes, bytes}}}));
  plan.recompute = Recompute::full;
  EXPECT_EQ(exchanges(rank_block(BlockKind::layer, model, plan).backward, Axis::tensor),
            (Collectives{{"all-reduce", {bytes, bytes, bytes, bytes}}}));
  EXPECT_EQ(stage_boundary_bytes(model, plan), bytes);
}

// Gradients of weights are added up when the step ends, and what tokens need is on their rank; those of
// learned positions, which all sequences share, are no exception.
TEST(TransformerBlocks, a_micro_batch_exchanges_nothing_along_the_data_axis) {
  for (const std::string name : {"gpt3-175b", "llama3-8b"}) {
    const Transformer model = find_transformer(name, {});
    const TransformerPlan plan{.tensor = 8, .data = 16};
    for (const RankBlock& block :
         {rank_block(BlockKind::embedding, model, plan), rank_block(BlockKind::layer, model, plan),
          rank_block(BlockKind::head, model, plan)}) {
      EXPECT_EQ(exchanges(block.forward, Axis::data), Collectives()) << name;
      EXPECT_EQ(exchanges(block.backward, Axis::data), Collectives()) << name;
    }
  }
}

// Korthikanti et al., 2022, section 4.2.2: two all-gathers and two reduce-scatters, backward the same and two
// more all-gathers, of inputs that are kept in parts.
TEST(TransformerBlocks, sequence_parallelism) {
  const Transformer model = find_transformer("gpt3-175b", {});
  const TransformerPlan plan{.tensor = 8, .sequence_parallel = true, .micro_batch = 2};
  const double bytes = 2 * 2048.0 * 12288 * 2;
  const RankBlock block = rank_block(BlockKind::layer, model, plan);
  EXPECT_EQ(exchanges(block.forward, Axis::tensor),
            (Collectives{{"all-gather", {bytes, bytes}}, {"reduce-scatter", {bytes, bytes}}}));
  EXPECT_EQ(exchanges(block.backward, Axis::tensor),
            (Collectives{{"all-gather", {bytes, bytes, bytes, bytes}}, {"reduce-scatter", {bytes, bytes}}}));
  EXPECT_EQ(stage_boundary_bytes(model, plan), bytes / 8);
}

// Keys and values of all ranks: 2 b s kv / t elements.
TEST(TransformerBlocks, context_parallelism_with_keys) {
  const Transformer model = find_transformer("llama3-8b", {});
  TransformerPlan plan{.tensor = 2, .context = 4, .attention = AttentionKind::flash};
  const double bytes = 8192.0 * 1024 / 2 * 2;
  const RankBlock ring = rank_block(BlockKind::layer, model, plan);
  EXPECT_EQ(exchanges(ring.forward, Axis::context), (Collectives{{"all-gather", {bytes, bytes}}}));
  EXPECT_EQ(exchanges(ring.backward, Axis::context),
            (Collectives{{"all-gather", {bytes, bytes}}, {"reduce-scatter", {bytes, bytes}}}));
  plan.context_exchange = ContextExchange::all_gather;
  const RankBlock gathered = rank_block(BlockKind::layer, model, plan);
  EXPECT_EQ(exchanges(gathered.forward, Axis::context), (Collectives{{"all-gather", {bytes, bytes}}}));
  EXPECT_EQ(exchanges(gathered.backward, Axis::context), (Collectives{{"reduce-scatter", {bytes, bytes}}}));
}

// T (q + 2 kv) / t elements to heads, T q / t back, and the same backward.
TEST(TransformerBlocks, context_parallelism_with_heads) {
  const Transformer model = find_transformer("llama3-8b", {});
  const TransformerPlan plan{.tensor = 2, .context = 4, .context_exchange = ContextExchange::all_to_all};
  const RankBlock block = rank_block(BlockKind::layer, model, plan);
  const double bytes = 8192.0 / 4 * (4096 + 2 * 1024 + 4096) / 2 * 2;
  for (const auto* steps : {&block.forward, &block.backward}) {
    const Collectives found = exchanges(*steps, Axis::context);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.at("all-to-all").size(), 4u);
    EXPECT_EQ(sum_of(found.at("all-to-all")), bytes);
  }
}

// Tokens to their experts and back, forward and backward: T' k h elements each. Experts that are cut as well
// gather t times as many.
TEST(TransformerBlocks, expert_parallelism) {
  const Transformer model = find_transformer("mixtral-8x7b", {});
  TransformerPlan plan{.tensor = 2, .expert = 4, .data = 8, .sequence_parallel = true};
  const double bytes = 4096.0 / 2 * 2 * 4096 * 2, tokens = 4096.0 * 4096 * 2;
  const RankBlock block = rank_block(BlockKind::layer_with_experts, model, plan);
  for (const auto* steps : {&block.forward, &block.backward})
    EXPECT_EQ(exchanges(*steps, Axis::expert), (Collectives{{"all-to-all", {bytes, bytes}}}));
  EXPECT_EQ(exchanges(block.forward, Axis::tensor),
            (Collectives{{"all-gather", {tokens, 2 * bytes}}, {"reduce-scatter", {tokens, 2 * bytes}}}));
  plan.expert_tensor = false;
  EXPECT_EQ(exchanges(rank_block(BlockKind::layer_with_experts, model, plan).forward, Axis::tensor),
            (Collectives{{"all-gather", {tokens}}, {"reduce-scatter", {tokens}}}));
}

// Software has kernels by kind and direction.
TEST(TransformerBlocks, operators_without_products_say_what_they_are) {
  const Transformer model = find_transformer("llama3-8b", {});
  std::map<std::string, std::set<std::pair<PointwiseKind, bool>>> kinds;
  for (const BlockKind kind : {BlockKind::layer, BlockKind::head}) {
    const RankBlock block = rank_block(kind, model, {});
    for (const auto* steps : {&block.forward, &block.backward})
      for (const Step& step : *steps)
        if (const auto* op = std::get_if<Operator>(&step.work))
          if (const auto* work = std::get_if<Elementwise>(&op->work))
            kinds[op->name].emplace(work->kind, work->backward);
  }
  const auto both = [](PointwiseKind kind) {
    return std::set<std::pair<PointwiseKind, bool>>{{kind, false}, {kind, true}};
  };
  EXPECT_EQ(kinds.at("mlp norm"), both(PointwiseKind::norm));
  EXPECT_EQ(kinds.at("rotary"), both(PointwiseKind::rotary));
  EXPECT_EQ(kinds.at("softmax"), both(PointwiseKind::softmax));
  EXPECT_EQ(kinds.at("mlp activation"), both(PointwiseKind::gated_activation));
  EXPECT_EQ(kinds.at("cross-entropy"), both(PointwiseKind::loss));
}

TEST(TransformerBlocks, embedding_and_head) {
  const Transformer model = find_transformer("gpt3-175b", {});
  TransformerPlan plan{.tensor = 8};
  const double bytes = 2048.0 * 12288 * 2, logits = 4 * 2048;
  EXPECT_EQ(exchanges(rank_block(BlockKind::embedding, model, plan).forward, Axis::tensor),
            (Collectives{{"all-reduce", {bytes}}}));
  EXPECT_EQ(exchanges(rank_block(BlockKind::embedding, model, plan).backward, Axis::tensor), Collectives{});
  EXPECT_EQ(exchanges(rank_block(BlockKind::head, model, plan).forward, Axis::tensor),
            (Collectives{{"all-reduce", {logits, logits, logits}}}));
  EXPECT_EQ(exchanges(rank_block(BlockKind::head, model, plan).backward, Axis::tensor),
            (Collectives{{"all-reduce", {bytes}}}));
  plan.sequence_parallel = true;
  EXPECT_EQ(exchanges(rank_block(BlockKind::embedding, model, plan).forward, Axis::tensor),
            (Collectives{{"reduce-scatter", {bytes}}}));
  EXPECT_EQ(exchanges(rank_block(BlockKind::head, model, plan).backward, Axis::tensor),
            (Collectives{{"all-gather", {bytes}}, {"reduce-scatter", {bytes}}}));
}

const Parameter& parameter(const RankBlock& block, std::string_view name) {
  return *std::find_if(block.parameters.begin(), block.parameters.end(),
                       [&](const Parameter& p) { return p.name == name; });
}

TEST(TransformerBlocks, who_adds_up_gradients) {
  const Transformer model = find_transformer("mixtral-8x7b", {});
  const TransformerPlan plan{.tensor = 2, .context = 2, .expert = 2, .data = 8, .sequence_parallel = true};
  const RankBlock block = rank_block(BlockKind::layer_with_experts, model, plan);
  using Axes = std::vector<Axis>;
  EXPECT_EQ(parameter(block, "query weight").gradient_axes, (Axes{Axis::context, Axis::expert, Axis::data}));
  EXPECT_EQ(parameter(block, "expert up weight").gradient_axes, (Axes{Axis::context, Axis::data}));
  EXPECT_EQ(parameter(block, "mlp norm weight").gradient_axes,
            (Axes{Axis::tensor, Axis::context, Axis::expert, Axis::data}));
}

// An all-reduce of input gradients waits for them alone; weight gradients come behind it in the order of
// steps.
TEST(TransformerBlocks, input_gradients_travel_beside_weight_gradients) {
  const RankBlock block = rank_block(BlockKind::layer, find_transformer("gpt3-175b", {}), {.tensor = 8});
  const auto& steps = block.backward;
  const auto product = [&](std::string_view name, StepPhase phase) {
    return std::find_if(steps.begin(), steps.end(),
                        [&](const Step& s) { return s.name == name && s.phase == phase; }) -
           steps.begin();
  };
  const auto input = product("qkv", StepPhase::input_gradient),
             weight = product("qkv", StepPhase::weight_gradient);
  const Step& all_reduce = steps[static_cast<std::size_t>(input + 1)];
  ASSERT_TRUE(std::holds_alternative<Exchange>(all_reduce.work));
  EXPECT_EQ(all_reduce.waits, std::vector<int>{static_cast<int>(input)});
  EXPECT_EQ(weight, input + 2);
  const auto& waits = steps[static_cast<std::size_t>(weight)].waits;
  EXPECT_EQ(std::count(waits.begin(), waits.end(), static_cast<int>(input + 1)), 0);
}

// A tensor that is gathered again waits for nothing, and the input gradient does not wait for it.
TEST(TransformerBlocks, inputs_are_gathered_again_beside_input_gradients) {
  const RankBlock block = rank_block(BlockKind::layer, find_transformer("gpt3-175b", {}),
                                     {.tensor = 8, .sequence_parallel = true});
  const auto& steps = block.backward;
  int again = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!std::holds_alternative<Exchange>(steps[i].work) || steps[i].phase != StepPhase::weight_gradient)
      continue;
    ++again;
    EXPECT_TRUE(steps[i].waits.empty());
    for (const Step& step : steps)
      if (std::count(step.waits.begin(), step.waits.end(), static_cast<int>(i)) > 0) {
        EXPECT_EQ(step.phase, StepPhase::weight_gradient);
      }
  }
  EXPECT_EQ(again, 2);
}

TEST(TransformerBlocks, selective_recomputation_repeats_core_attention) {
  const Transformer model = find_transformer("gpt3-175b", {});
  TransformerPlan plan{.tensor = 8};
  const double without = product_flops(rank_block(BlockKind::layer, model, plan).backward);
  plan.recompute = Recompute::selective;
  // 4 T s q / t
  EXPECT_EQ(product_flops(rank_block(BlockKind::layer, model, plan).backward) - without,
            4 * 2048.0 * 2048 * 12288 / 8);
  plan.attention = AttentionKind::flash;
  const double flash = product_flops(rank_block(BlockKind::layer, model, plan).backward);
  plan.recompute = Recompute::none;
  EXPECT_EQ(product_flops(rank_block(BlockKind::layer, model, plan).backward), flash);
}

// Recomputed scores read keys first, then values, while the gradients alone would read values first.
TEST(TransformerBlocks, recomputed_scores_get_their_keys_first) {
  const Transformer model = find_transformer("gpt3-6.7b", {});
  TransformerPlan plan{.context = 4, .recompute = Recompute::selective};
  const auto gathered = [&] {
    std::vector<std::string> names;
    for (const Step& step : rank_block(BlockKind::layer, model, plan).backward)
      if (const auto* exchange = std::get_if<Exchange>(&step.work))
        if (exchange->axis == Axis::context && exchange->kind == CollectiveKind::all_gather)
          names.push_back(step.name);
    return names;
  };
  EXPECT_EQ(gathered(), (std::vector<std::string>{"key", "value"}));
  plan.recompute = Recompute::none;
  EXPECT_EQ(gathered(), (std::vector<std::string>{"value", "key"}));
}

// Two products of scores forward, five backward; the mask leaves half of them.
TEST(TransformerBlocks, flash_attention) {
  Transformer model = find_transformer("gpt3-175b", {});
  const double scores = 4 * 2048.0 * 2048 * 12288;
  for (const bool causal : {true, false}) {
    model.causal = causal;
    double flops[2] = {0, 0};
    TransformerPlan plan{.attention = AttentionKind::flash};
    const RankBlock block = rank_block(BlockKind::layer, model, plan);
    for (const auto* steps : {&block.forward, &block.backward})
      for (const Step& step : *steps)
        if (const auto* op = std::get_if<Operator>(&step.work))
          if (const auto* attention = std::get_if<Attention>(&op->work))
            flops[attention->backward] += flops_of(*attention);
    EXPECT_EQ(flops[0], scores * (causal ? 0.5 : 1));
    EXPECT_EQ(flops[1], 2.5 * flops[0]);
  }
}

// Recipes such as Transformer Engine's use narrow formats only for products with weights inside layers,
// except for the router. Whatever is exchanged has the format of tensors.
TEST(TransformerBlocks, narrow_formats_are_for_linear_layers) {
  const Transformer model = find_transformer("mixtral-8x7b", {});
  TransformerPlan plan{.tensor = 2, .expert = 2, .data = 2, .linear_type = Datatype::fp8};
  const std::set<std::string> linear{"qkv", "projection", "expert up", "expert down"};
  for (const AttentionKind attention : {AttentionKind::naive, AttentionKind::flash}) {
    plan.attention = attention;
    TransformerPlan wide = plan;
    wide.linear_type.reset();
    std::set<std::string> narrow;
    const RankBlock block = rank_block(BlockKind::layer_with_experts, model, plan),
                    same = rank_block(BlockKind::layer_with_experts, model, wide);
    for (const auto steps : {&RankBlock::forward, &RankBlock::backward})
      for (std::size_t i = 0; i < (block.*steps).size(); ++i) {
        const Step &one = (block.*steps)[i], &other = (same.*steps)[i];
        const auto* op = std::get_if<Operator>(&one.work);
        if (!op) {
          EXPECT_EQ(std::get<Exchange>(one.work).bytes, std::get<Exchange>(other.work).bytes) << one.name;
          continue;
        }
        const bool is_linear = std::holds_alternative<Gemm>(op->work) && linear.contains(op->name);
        EXPECT_EQ(op->type, is_linear ? Datatype::fp8 : std::get<Operator>(other.work).type) << op->name;
        if (is_linear) narrow.insert(op->name);
      }
    EXPECT_EQ(narrow, linear);
  }
  for (const RankBlock& block :
       {rank_block(BlockKind::head, model, plan), rank_block(BlockKind::embedding, model, plan)})
    for (const auto steps : {&RankBlock::forward, &RankBlock::backward})
      for (const Step& step : block.*steps)
        if (const auto* op = std::get_if<Operator>(&step.work)) {
          EXPECT_NE(op->type, Datatype::fp8) << op->name;
        }
  EXPECT_EQ(layer_activation_bytes(model, plan, true),
            layer_activation_bytes(model, {.tensor = 2, .expert = 2, .data = 2, .attention = plan.attention},
                                   true));
}

// The operators of all layers and the head do what the closed form of their number says.
TEST(TransformerBlocks, operators_add_up_to_model_flops) {
  for (const char* word : {"gpt3-175b", "llama3-70b", "opt-350m", "mixtral-8x7b", "deepseek-v3",
                           "qwen3-30b-a3b", "bert-large"}) {
    Transformer model = find_transformer(word, {});
    model.vocabulary = 51200;  // a multiple of 128
    const TransformerPlan plan;
    double forward = 0, backward = 0;
    const auto add = [&](const RankBlock& block, double times) {
      forward += times * product_flops(block.forward);
      backward += times * product_flops(block.backward);
    };
    const auto with_experts = double(model.layers_with_experts());
    if (with_experts > 0) add(rank_block(BlockKind::layer_with_experts, model, plan), with_experts);
    if (with_experts < double(model.layers))
      add(rank_block(BlockKind::layer, model, plan), double(model.layers) - with_experts);
    add(rank_block(BlockKind::head, model, plan), 1);
    add(rank_block(BlockKind::embedding, model, plan), 1);
    const double expected = model_flops(model).forward();
    EXPECT_NEAR(forward / expected, 1, 1e-12) << word;
    // A projection from the embedding has an input gradient, its input's lookup has not.
    EXPECT_NEAR(backward / (2 * expected), 1, 1e-12) << word;
  }
}

TEST(TransformerBlocks, weights_are_those_of_the_model) {
  for (const char* word : {"gpt3-175b", "llama3-70b", "opt-350m", "mixtral-8x7b", "deepseek-v3",
                           "gpt-oss-120b", "grok-1", "bloom-176b", "qwen3-235b-a22b", "bert-base"}) {
    const Transformer model = find_transformer(word, {});
    for (const bool with_experts : {false, true}) {
      if (with_experts && !model.moe) continue;
      std::uint64_t elements = 0;
      for (const Parameter& p :
           rank_block(with_experts ? BlockKind::layer_with_experts : BlockKind::layer, model, {}).parameters)
        elements += p.elements;
      LayerParameters expected = layer_parameters(model, with_experts);
      if (with_experts && model.moe->balance_bias) expected.router -= model.moe->experts;  // has no gradient
      EXPECT_EQ(elements, expected.total()) << word;
    }
  }
}

}  // namespace
}  // namespace orrery::core::transformer_blocks_test
