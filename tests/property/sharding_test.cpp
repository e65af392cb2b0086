// Whatever the degrees of parallelism: ranks together compute what one rank computes, as often, with the same
// weights.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <string>

#include "base/random.hpp"
#include "support/sharded_interpreter.hpp"
#include "workload/transformer/blocks/transformer_blocks.hpp"
#include "workload/transformer/blocks/transformer_graph.hpp"

namespace orrery::core::test::sharding_test {
namespace {

Transformer small_model(Random& random) {
  Transformer model;
  model.hidden = 4;
  model.heads = 8;
  model.kv_heads = random.pick<std::uint64_t>({4, 8});
  model.head_width = 2;
  model.ffn = 8;
  model.gated = random.chance(50);
  model.vocabulary = 512;
  model.sequence = 8;
  model.embedding_width = random.chance(20) ? 2 : 0;
  model.tied_embeddings = random.chance(50);
  model.positions = random.chance(50) ? 9 : 0;
  model.rotary = random.chance(50);
  model.norm = random.chance(50) ? NormKind::rms : NormKind::layer;
  model.norms_per_layer = random.pick<std::uint64_t>({2, 4});
  model.final_norm = random.chance(80);
  model.embedding_norm = random.chance(30);
  model.query_key_norm = random.chance(30);
  model.attention_sinks = random.chance(30);
  const auto coin = [&] { return random.chance(50); };
  model.biases = {coin(), coin(), coin(), coin(), coin()};
  model.dropout = random.chance(50) ? 0.1 : 0;
  if (random.chance(30)) {
    model.latent =
        LatentAttention{random.pick<std::uint64_t>({0, 3}), 3, random.pick<std::uint64_t>({0, 1}), 3};
    model.kv_heads = model.heads;
  }
  model.moe = MixtureOfExperts{4, 2, 8, random.pick<std::uint64_t>({0, 2}), 0, 1, 1, false};
  return model;
}

TransformerPlan small_plan(Random& random) {
  TransformerPlan plan;
  plan.tensor = random.pick<std::uint64_t>({1, 2, 4});
  plan.context = random.pick<std::uint64_t>({1, 2});
  plan.expert = random.pick<std::uint64_t>({1, 2});
  plan.data = plan.expert * random.pick<std::uint64_t>({1, 2});
  plan.sequence_parallel = plan.tensor > 1 && random.chance(60);
  plan.expert_tensor = random.chance(70);
  plan.context_exchange = random.pick<ContextExchange>(
      {ContextExchange::ring, ContextExchange::all_gather, ContextExchange::all_to_all});
  if (plan.tensor * plan.context > 4) plan.context_exchange = ContextExchange::ring;
  plan.attention = random.chance(50) ? AttentionKind::flash : AttentionKind::naive;
  plan.recompute = random.pick<Recompute>({Recompute::none, Recompute::selective, Recompute::full});
  plan.micro_batch = random.pick<std::uint64_t>({1, 2});
  plan.global_batch = plan.micro_batch * plan.data;
  return plan;
}

// The same samples on one rank.
TransformerPlan on_one_rank(TransformerPlan plan) {
  plan.micro_batch *= plan.data;
  plan.tensor = plan.context = plan.expert = plan.data = 1;
  plan.sequence_parallel = false;
  return plan;
}

std::string text_of(const TransformerPlan& plan) {
  return fmt::format("tensor {} sequence {} context {} ({}) expert {} ({}) data {}", plan.tensor,
                     plan.sequence_parallel, plan.context,
                     word_of(context_exchange_words, plan.context_exchange), plan.expert, plan.expert_tensor,
                     plan.data);
}

struct Part {
  const char* name;
  BlockKind kind;
};

const Part parts[] = {
    {"dense layer", BlockKind::layer},
    {"layer with experts", BlockKind::layer_with_experts},
    {"embedding", BlockKind::embedding},
    {"head", BlockKind::head},
};

int cases(int usual) {
  return std::getenv("ORRERY_TEST_LONG") ? 40 * usual : usual;
}

TEST(Sharding, ranks_together_compute_what_one_computesSlow) {
  for (int seed = 0; seed < cases(25); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Transformer model = small_model(random);
    const TransformerPlan plan = small_plan(random);
    ASSERT_TRUE(errors_of_plan(model, plan, [](std::string_view) { return SourceLocation{}; }).empty());
    for (const Part& part : parts) {
      SCOPED_TRACE(fmt::format("seed {} {}: {}", seed, part.name, text_of(plan)));
      const Results sharded = run_sharded(block_graph(part.kind, model, plan));
      const Results whole = run_sharded(block_graph(part.kind, model, on_one_rank(plan)));
      EXPECT_EQ(sharded.output, whole.output);
      EXPECT_EQ(sharded.input_gradient, whole.input_gradient);
      EXPECT_EQ(sharded.weight_gradients, whole.weight_gradients);
      EXPECT_FALSE(whole.weight_gradients.empty());
    }
  }
}

// The product of degrees along which something is the same on all ranks.
double copies_of(const Layout& layout, const TransformerPlan& plan) {
  const double degrees[] = {double(plan.tensor), double(plan.context), double(plan.expert),
                            double(plan.data / plan.expert)};
  double copies = 1;
  for (const Axis axis : all_axes)
    if (layout[axis] == duplicated) copies *= degrees[static_cast<std::size_t>(axis)];
  return copies;
}

double flops_of_products(const std::vector<Step>& steps, std::string_view name, StepPhase phase) {
  double flops = 0;
  for (const Step& step : steps) {
    const auto* op = std::get_if<Operator>(&step.work);
    if (!op || step.name != name || step.phase != phase) continue;
    if (const auto* g = std::get_if<Gemm>(&op->work))
      flops += 2.0 * double(g->m) * double(g->n) * double(g->k) * double(g->batch);
    if (const auto* attention = std::get_if<Attention>(&op->work)) flops += flops_of(*attention);
  }
  return flops;
}

// Products that all ranks of tensor parallelism do, unless they have different tokens.
bool is_duplicated(const std::string& name, const TransformerPlan& plan) {
  if (plan.sequence_parallel) return false;
  if (name.starts_with("expert") && !plan.expert_tensor) return true;
  const std::set<std::string> names{"router", "query down", "kv down", "embedding projection",
                                    "head projection"};
  return names.contains(name);
}

TEST(Sharding, work_and_weights_are_shared_out) {
  for (int seed = 0; seed < cases(200); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Transformer model = small_model(random);
    model.sequence = 64;  // enough that experts' shares of tokens are whole
    const TransformerPlan plan = small_plan(random);
    for (const Part& part : parts) {
      SCOPED_TRACE(fmt::format("seed {} {}: {}", seed, part.name, text_of(plan)));
      const RankBlock block = rank_block(part.kind, model, plan),
                      whole = rank_block(part.kind, model, on_one_rank(plan));
      for (const bool backward : {false, true}) {
        for (const Step& step : backward ? whole.backward : whole.forward) {
          const double one = flops_of_products({step}, step.name, step.phase);
          if (one == 0) continue;
          const double all =
              flops_of_products(backward ? whole.backward : whole.forward, step.name, step.phase);
          const double local =
              flops_of_products(backward ? block.backward : block.forward, step.name, step.phase);
          const double copies = is_duplicated(step.name, plan) ? double(plan.tensor) : 1;
          EXPECT_EQ(local * double(plan.ranks()), all * copies) << step.name;
        }
      }
      ASSERT_EQ(block.parameters.size(), whole.parameters.size());
      for (std::size_t i = 0; i < block.parameters.size(); ++i) {
        const Parameter& parameter = block.parameters[i];
        const double elements =
            double(parameter.elements) * double(plan.ranks()) / copies_of(parameter.layout, plan);
        EXPECT_EQ(elements, double(whole.parameters[i].elements)) << parameter.name;
        // Ranks with copies add up their gradients, unless all compute all of them.
        for (const Axis axis : parameter.gradient_axes) EXPECT_EQ(parameter.layout[axis], duplicated);
      }
    }
  }
}

TEST(Sharding, weights_are_those_that_are_counted) {
  for (int seed = 0; seed < cases(200); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Transformer model = small_model(random);
    std::uint64_t sums[4] = {};
    for (std::size_t i = 0; i < 4; ++i)
      for (const Parameter& parameter : rank_block(parts[i].kind, model, {}).parameters)
        if (parameter.name != "tied head weight") sums[i] += parameter.elements;
    const TransformerParameters all = transformer_parameters(model);
    EXPECT_EQ(sums[0], layer_parameters(model, false).total()) << seed;
    EXPECT_EQ(sums[1], layer_parameters(model, true).total()) << seed;
    EXPECT_EQ(sums[2], all.embedding + all.positions) << seed;
    EXPECT_EQ(sums[3], all.head + all.final_norm) << seed;
  }
}

TEST(Sharding, steps_wait_for_earlier_ones) {
  for (int seed = 0; seed < cases(100); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Transformer model = small_model(random);
    const TransformerPlan plan = small_plan(random);
    for (const Part& part : parts) {
      const RankBlock block = rank_block(part.kind, model, plan);
      for (const auto* steps : {&block.forward, &block.backward})
        for (std::size_t i = 0; i < steps->size(); ++i)
          for (const int wait : (*steps)[i].waits) {
            EXPECT_GE(wait, block_input);
            EXPECT_LT(wait, static_cast<int>(i)) << (*steps)[i].name;
          }
      EXPECT_EQ(block.output, static_cast<int>(block.forward.size()) - 1);
      for (const Parameter& parameter : block.parameters)
        EXPECT_LT(parameter.gradient, static_cast<int>(block.backward.size()));
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::sharding_test
