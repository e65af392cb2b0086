#include "workload/transformer/model_flops.hpp"

#include <algorithm>

namespace orrery::core {
namespace {

double mlp_weights(const Transformer& model, double width) {
  return (model.gated ? 3 : 2) * double(model.hidden) * width;
}

}  // namespace

ModelFlops model_flops(const Transformer& model, const TransformerPlan& plan) {
  const double s = double(model.sequence), h = double(model.hidden);
  const double layers = double(model.layers), with_experts = double(model.layers_with_experts());
  double weights = layers * double(attention_weights(model));
  weights += (layers - with_experts) * mlp_weights(model, double(model.ffn));
  if (model.moe) {
    const double computed = double(model.moe->experts_per_token) * std::min(1.0, model.moe->capacity_factor);
    const double passed = computed + double(model.moe->shared_experts);
    weights +=
        with_experts * (mlp_weights(model, passed * double(model.moe->ffn)) + h * double(model.moe->experts));
  }
  const double width = model.embedding_width > 0 ? double(model.embedding_width) : h;
  const double projection = model.embedding_width > 0 ? h * width : 0;  // from the embedding, or to it
  ModelFlops flops;
  const double seen = plan.seen > 0 ? double(plan.seen) : s;
  flops.attention_scores =
      2 * layers * s * seen * double(model.heads) * (double(model.head_width) + double(model.value_width()));
  flops.layers = 2 * s * weights;
  const bool has_words = !(plan.forward_only && model.masked);  // inference of an encoder finds none
  const double words = has_words ? double(predicted_tokens(model, plan)) : 0;
  flops.head = 2 * words * (width * double(model.vocabulary) + projection) + 2 * s * projection;
  if (model.masked && model.masked->transform) flops.head += 2 * words * h * h;
  if (model.masked && model.masked->classes > 0) flops.head += 2 * h * (h + double(model.masked->classes));
  return flops;
}

double step_model_flops(const Transformer& model, const TransformerPlan& plan) {
  ModelFlops flops = model_flops(model, plan);
  if (model.causal && !plan.decodes() && plan.attention == AttentionKind::flash) flops.attention_scores /= 2;
  return (plan.forward_only ? 1 : 3) * double(plan.global_batch) * flops.forward();
}

}  // namespace orrery::core
