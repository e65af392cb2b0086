#include "workload/transformer/blocks/inference_memory.hpp"

#include <algorithm>
#include <vector>

namespace orrery::core {
namespace {

// Returns the bytes of a rank's weights. Those of layers may have a format of their own; embedding and head
// have that of tensors.
double weight_bytes(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                    const ModelParts& parts) {
  const double element = bytes_of(plan.type);
  const double linear = bytes_of(plan.weight_type.value_or(plan.linear_type.value_or(plan.type)));
  double bytes = 0;
  for (const std::vector<BlockKind>& chunk : blocks_of_stage(model, plan, stage))
    for (const BlockKind kind : chunk) {
      const bool is_layer = kind == BlockKind::layer || kind == BlockKind::layer_with_experts;
      const BlockParameters& held = parts[static_cast<std::size_t>(kind)];
      bytes += double(held.total()) * (is_layer ? linear : element) + held.index_bytes;
    }
  if (!model.tied_embeddings || plan.pipeline > 1 || model.masked) return bytes;
  const std::uint64_t width = model.embedding_width > 0 ? model.embedding_width : model.hidden;
  return bytes - element * double(padded_vocabulary(model, plan) * width / plan.tensor);
}

// Returns the bytes of a layer's largest tensors that exist at once: its input, and queries, keys and values,
// or what the MLP has inside.
double moment_bytes(const Transformer& model, const TransformerPlan& plan) {
  const double tokens = double(plan.micro_batch) * double(model.sequence) / double(plan.context);
  const double share = 1 / double(plan.tensor);
  const double attention = double(model.query_width() + 2 * model.kv_width()) * share;
  const double width = model.moe ? double(model.moe->ffn * model.moe->experts_per_token) : double(model.ffn);
  const double mlp = (model.gated ? 2 : 1) * width * share;
  return tokens * bytes_of(plan.type) * (2 * double(model.hidden) + std::max(attention, mlp));
}

}  // namespace

double cache_bytes(const Transformer& model, const TransformerPlan& plan) {
  if (!model.causal) return 0;
  const double tokens = double(plan.decodes() ? plan.seen : model.sequence) / double(plan.context);
  const double heads = double(std::max(model.kv_heads, plan.tensor)) / double(plan.tensor);
  double width = heads * double(model.head_width + model.value_width());
  if (model.latent) width = double(model.latent->kv_rank + model.latent->rotary_width);  // every rank has it
  return tokens * width * bytes_of(plan.cache_type.value_or(plan.type));
}

StageMemory inference_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                             const ModelParts& parts) {
  double layers = 0;
  bool has_head = false;
  for (const std::vector<BlockKind>& chunk : blocks_of_stage(model, plan, stage))
    for (const BlockKind kind : chunk) {
      layers += kind == BlockKind::layer || kind == BlockKind::layer_with_experts ? 1 : 0;
      has_head = has_head || kind == BlockKind::head;
    }
  StageMemory memory;
  memory.state.weights = weight_bytes(model, plan, stage, parts);
  memory.cache = layers * double(plan.global_batch / plan.data) * cache_bytes(model, plan);
  memory.working = moment_bytes(model, plan);
  if (has_head && !model.masked)
    memory.head = double(plan.micro_batch) * double(predicted_tokens(model, plan)) * 4 *
                  double(padded_vocabulary(model, plan)) / double(plan.tensor);
  return memory;
}

}  // namespace orrery::core
