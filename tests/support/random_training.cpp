#include "support/random_training.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/input/input_node.hpp"
#include "base/random.hpp"
#include "workload/training/platform.hpp"

namespace orrery::core::test {
namespace {

using Counts = std::vector<std::uint64_t>;

std::uint64_t power_of_two(Random& random, int least, int most) {
  return std::uint64_t{1} << random.between(least, most);
}

MixtureOfExperts random_experts(Random& random, std::uint64_t layers) {
  MixtureOfExperts moe;
  moe.experts = power_of_two(random, 0, 6);
  moe.experts_per_token = std::min(moe.experts, power_of_two(random, 0, 3));
  moe.ffn = power_of_two(random, 4, 13);
  moe.shared_experts = random.pick<std::uint64_t>({0, 0, 1, 2});
  moe.dense_layers = static_cast<std::uint64_t>(random.between(0, static_cast<int>(layers)));
  moe.every = random.pick<std::uint64_t>({1, 1, 2});
  moe.capacity_factor = random.pick<double>({1, 1, 0.01, 0.5, 1.25, 4});
  return moe;
}

Transformer random_transformer(Random& random) {
  const auto coin = [&] { return random.chance(50); };
  Transformer model;
  model.name = "random";
  model.layers = random.pick<std::uint64_t>({1, 2, 3, 4, 8, 12});
  model.heads = power_of_two(random, 0, 6);
  model.kv_heads = model.heads >> random.between(0, 2);
  if (model.kv_heads == 0) model.kv_heads = 1;
  model.head_width = random.pick<std::uint64_t>({1, 8, 64, 80, 128, 1024});
  model.hidden = random.pick<std::uint64_t>({8, 100, 1024, 4096, 12288});
  model.ffn = random.pick<std::uint64_t>({64, 2816, 16384, 65536});
  model.gated = coin();
  model.vocabulary = random.pick<std::uint64_t>({2, 1000, 51200, 128256});
  model.sequence = power_of_two(random, 0, 18);
  model.embedding_width = random.chance(15) ? 512 : 0;
  model.tied_embeddings = coin();
  model.positions = coin() ? model.sequence : 0;
  model.rotary = coin();
  model.norm = coin() ? NormKind::rms : NormKind::layer;
  model.norms_per_layer = random.pick<std::uint64_t>({2, 4});
  model.query_key_norm = random.chance(20);
  model.biases = {coin(), coin(), coin(), coin(), coin()};
  model.dropout = coin() ? 0.1 : 0;
  model.causal = random.chance(80);
  if (random.chance(40)) model.moe = random_experts(random, model.layers);
  if (random.chance(20)) {
    model.latent =
        LatentAttention{random.pick<std::uint64_t>({0, 1536}), 512, model.head_width / 2, model.head_width};
    model.kv_heads = model.heads;
  }
  return model;
}

TransformerPlan random_plan(Random& random, const Transformer& model) {
  TransformerPlan plan;
  plan.tensor = power_of_two(random, 0, 4);
  plan.context = power_of_two(random, 0, 3);
  plan.expert = model.moe ? power_of_two(random, 0, 3) : 1;
  plan.data = plan.expert * power_of_two(random, 0, 3);
  plan.pipeline = random.pick<std::uint64_t>({1, 1, 2, 3, 4});
  plan.sequence_parallel = plan.tensor > 1 && random.chance(60);
  plan.expert_tensor = random.chance(70);
  plan.context_exchange = random.pick<ContextExchange>(
      {ContextExchange::ring, ContextExchange::all_gather, ContextExchange::all_to_all});
  if (plan.pipeline > 1 && random.chance(30)) {
    plan.layers_per_chunk = Counts(plan.pipeline, 0);
    for (std::uint64_t layer = 0; layer < model.layers; ++layer)
      ++plan.layers_per_chunk[random.next() % plan.pipeline];
  } else if (plan.pipeline > 1) {
    plan.chunks = random.pick<std::uint64_t>({1, 1, 2, 3});
  }
  plan.zero = random.between(0, 3);
  if (plan.zero > 0 && random.chance(20)) plan.shard = power_of_two(random, 0, 3);
  plan.micro_batch = power_of_two(random, 0, 3);
  plan.global_batch =
      plan.micro_batch * plan.data * plan.pipeline * static_cast<std::uint64_t>(random.between(1, 4));
  plan.type = random.pick<Datatype>({Datatype::bf16, Datatype::fp16, Datatype::fp32});
  if (plan.type != Datatype::fp32 && random.chance(20)) plan.linear_type = Datatype::fp8;
  plan.attention = random.chance(50) ? AttentionKind::flash : AttentionKind::naive;
  plan.recompute = random.pick<Recompute>({Recompute::none, Recompute::selective, Recompute::full});
  return plan;
}

Platform random_platform(Random& random) {
  const auto words = platform_words();
  const std::string library = random.chance(50) ? ", library: ideal" : "";
  const std::string stack = random.chance(50) ? ", stack: none" : "";
  const auto word = words[random.next() % words.size()];
  return read_platform(parse_yaml(fmt::format("{{ base: {}{}{} }}", word, library, stack), "p.yaml"), {},
                       InputLog());
}

}  // namespace

TrainingSetup random_training(std::uint64_t seed) {
  Random random(seed);
  const auto nowhere = [](std::string_view) { return SourceLocation{}; };
  for (;;) {
    const Transformer model = random_transformer(random);
    const TransformerPlan plan = random_plan(random, model);
    if (!errors_of_plan(model, plan, nowhere).empty()) continue;
    const Platform platform = random_platform(random);
    if (plan.linear_type && platform.device.facts.product_peak(*plan.linear_type) == 0) continue;
    const PipelineSchedule schedule = plan.chunks > 1     ? PipelineSchedule::interleaved
                                      : random.chance(15) ? PipelineSchedule::gpipe
                                      : random.chance(15) ? PipelineSchedule::gpipe_reversed
                                                          : PipelineSchedule::one_forward_one_backward;
    const bool gradients = random.chance(70), parameters = random.chance(70), messages = random.chance(30);
    const Precision precision =
        plan.type == Datatype::fp32 ? Precision::fp32 : Precision::mixed_fp32_gradients;
    return {model,
            plan,
            schedule,
            RankMesh{}.order,
            gradients,
            parameters,
            messages,
            Optimizer::adam,
            precision,
            platform.device,
            platform.library,
            platform.stack,
            true,
            {},
            false,
            {},
            {},
            platform.contended};
  }
}

std::string describe(const TrainingSetup& setup) {
  const Transformer& m = setup.model;
  const TransformerPlan& p = setup.plan;
  std::string text = fmt::format(
      "layers {} heads {}/{} x {} hidden {} ffn {} vocabulary {} sequence {} latent {} causal {} dropout {}",
      m.layers, m.heads, m.kv_heads, m.head_width, m.hidden, m.ffn, m.vocabulary, m.sequence,
      m.latent.has_value(), m.causal, m.dropout);
  if (m.moe)
    text += fmt::format(", experts {} of {} x {}, {} dense layers, every {}, capacity {}",
                        m.moe->experts_per_token, m.moe->experts, m.moe->ffn, m.moe->dense_layers,
                        m.moe->every, m.moe->capacity_factor);
  text += fmt::format("; tensor {} (sequence {}) context {} ({}) expert {} (tensor {}) pipeline {} x {} [{}]",
                      p.tensor, p.sequence_parallel, p.context,
                      word_of(context_exchange_words, p.context_exchange), p.expert, p.expert_tensor,
                      p.pipeline, p.chunks, fmt::join(p.layers_per_chunk, ", "));
  if (p.linear_type) text += fmt::format(" linear {}", word_of(datatype_words, *p.linear_type));
  text += fmt::format(" data {} zero {} shard {} micro {} global {} {} {} {}", p.data, p.zero, p.shard,
                      p.micro_batch, p.global_batch, word_of(datatype_words, p.type),
                      word_of(attention_words, p.attention), word_of(recompute_words, p.recompute));
  return text + fmt::format("; {} stack {}", setup.device.facts.name, setup.stack.name);
}

}  // namespace orrery::core::test
