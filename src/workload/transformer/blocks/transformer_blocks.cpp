#include "workload/transformer/blocks/transformer_blocks.hpp"

#include "workload/parallelism/lower_block.hpp"
#include "workload/parallelism/step_builder.hpp"
#include "workload/transformer/blocks/transformer_graph.hpp"

namespace orrery::core {
RankBlock rank_block(BlockKind kind, const Transformer& model, const TransformerPlan& plan) {
  LoweringChoices choices;
  choices.context_ring = plan.context_exchange == ContextExchange::ring;
  choices.type = plan.type;
  choices.forward_only = plan.forward_only;
  choices.cache_type = plan.cache_type;
  choices.causal = model.causal && !plan.decodes();
  choices.recompute_core_attention = plan.recompute == Recompute::selective;
  if (kind == BlockKind::layer || kind == BlockKind::layer_with_experts) {
    choices.linear_type = plan.linear_type;
    choices.weight_type = plan.weight_type;
    choices.sparsity = plan.sparsity;
    choices.recompute_all = plan.recompute == Recompute::full;
  }
  return lower_block(block_graph(kind, model, plan), choices);
}

std::vector<std::string> weighted_products(const Transformer& model, const TransformerPlan& plan) {
  std::vector<std::string> names = weighted_products(block_graph(BlockKind::layer, model, plan));
  if (!model.moe) return names;
  const auto more = weighted_products(block_graph(BlockKind::layer_with_experts, model, plan));
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

double stage_boundary_bytes(const Transformer& model, const TransformerPlan& plan) {
  const double tokens = double(plan.micro_batch) * double(model.sequence) / double(plan.context);
  const double parts = plan.sequence_parallel ? double(plan.tensor) : 1;
  return tokens * double(model.hidden) * bytes_of(plan.type) / parts;
}

}  // namespace orrery::core
