#include "workload/transformer/blocks/transformer_memory.hpp"

#include <algorithm>
#include <vector>

#include "workload/transformer/blocks/transformer_blocks.hpp"

namespace orrery::core {
namespace {

// Sizes of one micro-batch on one rank.
struct Sizes {
  double tokens, hidden, element;
  double mask;             // bytes of dropout's mask per element
  double tensor, outside;  // share of a rank: of what tensor parallelism cuts, and of what lies between

  Sizes(const Transformer& model, const TransformerPlan& plan)
      : tokens(double(plan.micro_batch) * double(model.sequence) / double(plan.context)),
        hidden(double(model.hidden)),
        element(bytes_of(plan.type)),
        mask(model.dropout > 0 ? 1 : 0),
        tensor(1 / double(plan.tensor)),
        outside(plan.sequence_parallel ? tensor : 1) {}

  double vectors() const { return tokens * hidden * element * outside; }  // a hidden vector of each token
};

// Returns the bytes of the inputs of attention's two products and of the projection.
double operand_bytes(const Transformer& model, const TransformerPlan& plan, const Sizes& z) {
  const double queries = double(model.query_width()), values = double(model.heads * model.value_width());
  if (model.latent) {
    const double ranks = double(model.latent->query_rank + model.latent->kv_rank);
    const double low = 2 * ranks + double(model.latent->rotary_width);  // before and behind their norms
    return z.tokens * z.element * (z.tensor * (2 * queries + 2 * values) + z.outside * low);
  }
  const double kv = double(std::max(model.kv_heads, plan.tensor) * model.head_width);  // with copies
  return z.tokens * z.element * z.tensor * (queries + 2 * kv + values);
}

// Returns the bytes kept of softmax and of the dropout behind it, or the sums of exponentials that fused
// attention keeps.
double score_bytes(const Transformer& model, const TransformerPlan& plan, const Sizes& z) {
  const double rows = double(model.heads) * z.tokens * z.tensor;
  if (plan.attention == AttentionKind::flash) return 4 * rows;
  const double dropout = z.mask > 0 ? z.element + z.mask : 0;
  return rows * double(plan.seen > 0 ? plan.seen : model.sequence) * (z.element + dropout);
}

// Returns the bytes that an MLP keeps of its inside: before and behind the activation and, if gated, the
// other factor.
double inside_bytes(const Transformer& model, const Sizes& z, double width) {
  return (model.gated ? 3 : 2) * z.tokens * width * z.element;
}

double expert_bytes(const Transformer& model, const TransformerPlan& plan, const Sizes& z) {
  const MixtureOfExperts& moe = *model.moe;
  const double rows = double(moe.experts_per_token) * moe.capacity_factor;  // per token
  const double share = plan.expert_tensor ? z.tensor : z.outside;
  const double shared = double(moe.shared_experts * moe.ffn);
  return inside_bytes(model, z, rows * double(moe.ffn)) * share + inside_bytes(model, z, shared) * z.tensor +
         rows * z.vectors() + 4 * z.tokens * z.outside * double(moe.experts);
}

}  // namespace

double layer_working_bytes(const Transformer& model, const TransformerPlan& plan, bool with_experts) {
  const Sizes z(model, plan);
  double bytes = double(model.norms_per_layer) * z.vectors();  // inputs of norms
  bytes += 2 * z.vectors();                                    // of attention and of the MLP
  bytes += operand_bytes(model, plan, z) + score_bytes(model, plan, z);
  bytes += 2 * z.mask * z.tokens * z.hidden * z.outside;
  bytes += with_experts ? expert_bytes(model, plan, z) : inside_bytes(model, z, double(model.ffn)) * z.tensor;
  return bytes;
}

double layer_activation_bytes(const Transformer& model, const TransformerPlan& plan, bool with_experts) {
  const Sizes z(model, plan);
  if (plan.recompute == Recompute::full) return z.vectors();
  const bool again = plan.recompute == Recompute::selective && plan.attention == AttentionKind::naive;
  return layer_working_bytes(model, plan, with_experts) - (again ? score_bytes(model, plan, z) : 0);
}

double embedding_activation_bytes(const Transformer& model, const TransformerPlan& plan) {
  const Sizes z(model, plan);
  return z.mask * z.tokens * z.hidden * z.outside;
}

double head_activation_bytes(const Transformer& model, const TransformerPlan& plan) {
  const Sizes z(model, plan);
  const double logits = 4 * double(padded_vocabulary(model, plan)) * z.tensor;
  const std::uint64_t predicted = predicted_tokens(model, plan);
  if (predicted == model.sequence && !model.masked) return 2 * z.vectors() + logits * z.tokens;
  // The vectors of the tokens that are predicted are whole on every rank.
  const double rows = double(plan.micro_batch) * double(predicted);
  const double vectors = (model.masked && model.masked->transform ? 4 : 1) * z.hidden * z.element;
  return rows * (vectors + logits);
}

namespace {

BlockParameters parameters_of(const RankBlock& block, const TransformerPlan& plan) {
  BlockParameters sum;
  for (const Parameter& parameter : block.parameters) {
    const bool dense = plan.expert == 1 || std::ranges::find(parameter.gradient_axes, Axis::expert) !=
                                               parameter.gradient_axes.end();
    (dense ? sum.dense : sum.experts) += parameter.elements;
    sum.index_bytes += parameter.index_bytes;
  }
  return sum;
}

// Returns the parameters of which other ranks hold a part, under ZeRO-3.
std::uint64_t shared_out(const BlockParameters& block, const TransformerPlan& plan) {
  return (plan.shards(false) > 1 ? block.dense : 0) + (plan.shards(true) > 1 ? block.experts : 0);
}

}  // namespace

ModelParts model_parts(const Transformer& model, const TransformerPlan& plan) {
  ModelParts parts;
  const std::uint64_t with_experts = model.layers_with_experts();
  for (std::size_t kind = 0; kind < block_kinds; ++kind) {
    const auto block = static_cast<BlockKind>(kind);
    if (block == BlockKind::layer && with_experts == model.layers) continue;
    if (block == BlockKind::layer_with_experts && with_experts == 0) continue;
    parts[kind] = parameters_of(rank_block(block, model, plan), plan);
  }
  return parts;
}

RankParameters rank_parameters(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                               const ModelParts& parts) {
  RankParameters sum;
  for (const std::vector<BlockKind>& chunk : blocks_of_stage(model, plan, stage)) {
    std::uint64_t before = 0;  // gathered for the block before
    for (const BlockKind kind : chunk) {
      const BlockParameters& block = parts[static_cast<std::size_t>(kind)];
      sum.held += block;
      const std::uint64_t gathered = shared_out(block, plan);
      sum.gathered = std::max(sum.gathered, before + gathered);
      before = gathered;
    }
  }
  if (model.tied_embeddings && plan.pipeline == 1) {
    const std::uint64_t width = model.embedding_width > 0 ? model.embedding_width : model.hidden;
    sum.held.dense -= padded_vocabulary(model, plan) * width / plan.tensor;  // the embedding's
  }
  return sum;
}

ParameterState rank_state(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                          Optimizer optimizer, Precision precision, const ModelParts& parts) {
  const auto [held, gathered] = rank_parameters(model, plan, stage, parts);
  ParameterState state =
      parameter_state(double(held.dense), optimizer, precision, {plan.zero, plan.shards(false)});
  const ParameterState experts =
      parameter_state(double(held.experts), optimizer, precision, {plan.zero, plan.shards(true)});
  state.weights += experts.weights;
  state.gradients += experts.gradients;
  state.optimizer += experts.optimizer;
  if (plan.zero == 3) {
    const double bytes = bytes_per_parameter(optimizer, precision).weights;
    state.weights = std::min(state.weights + bytes * double(gathered), bytes * double(held.total()));
  }
  state.weights += held.index_bytes;
  return state;
}

StageMemory stage_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                         PipelineSchedule schedule, Optimizer optimizer, Precision precision,
                         const ModelParts& parts) {
  std::array<double, block_kinds> blocks{};  // how many
  for (const std::vector<BlockKind>& chunk : blocks_of_stage(model, plan, stage))
    for (const BlockKind kind : chunk) ++blocks[static_cast<std::size_t>(kind)];
  const double in_flight =
      micro_batches_in_flight({schedule, static_cast<int>(plan.pipeline),
                               static_cast<int>(plan.micro_batches()), static_cast<int>(plan.chunks)},
                              static_cast<int>(stage));
  StageMemory memory;
  memory.state = rank_state(model, plan, stage, optimizer, precision, parts);
  for (const BlockKind kind : {BlockKind::layer, BlockKind::layer_with_experts}) {
    const double count = blocks[static_cast<std::size_t>(kind)];
    if (count == 0) continue;
    const bool with_experts = kind == BlockKind::layer_with_experts;
    const double kept = layer_activation_bytes(model, plan, with_experts);
    memory.activations += in_flight * count * kept;
    memory.working = std::max(memory.working, layer_working_bytes(model, plan, with_experts) - kept);
  }
  if (stage == 0) memory.embedding = in_flight * embedding_activation_bytes(model, plan);
  if (stage + 1 == plan.pipeline) memory.head = head_activation_bytes(model, plan);
  return memory;
}

}  // namespace orrery::core
