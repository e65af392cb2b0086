#include "workload/transformer/transformer_blocks.hpp"

#include "workload/parallelism/lower_block.hpp"
#include "workload/transformer/transformer_graph.hpp"

namespace orrery {
namespace {

LoweringChoices choices_of(const Transformer& model, const TransformerPlan& plan) {
  LoweringChoices choices;
  choices.context_ring = plan.context_exchange == ContextExchange::ring;
  choices.type = plan.type;
  choices.causal = model.causal;
  choices.recompute_core_attention = plan.recompute == Recompute::selective;
  return choices;
}

}  // namespace

RankBlock layer_block(const Transformer& model, const TransformerPlan& plan, bool with_experts) {
  LoweringChoices choices = choices_of(model, plan);
  choices.linear_type = plan.linear_type;
  choices.recompute_all = plan.recompute == Recompute::full;
  return lower_block(layer_graph(model, plan, with_experts), choices);
}

RankBlock embedding_block(const Transformer& model, const TransformerPlan& plan) {
  return lower_block(embedding_graph(model, plan), choices_of(model, plan));
}

RankBlock head_block(const Transformer& model, const TransformerPlan& plan) {
  return lower_block(head_graph(model, plan), choices_of(model, plan));
}

double stage_boundary_bytes(const Transformer& model, const TransformerPlan& plan) {
  const double tokens = double(plan.micro_batch) * double(model.sequence) / double(plan.context);
  const double parts = plan.sequence_parallel ? double(plan.tensor) : 1;
  return tokens * double(model.hidden) * bytes_of(plan.type) / parts;
}

}  // namespace orrery
