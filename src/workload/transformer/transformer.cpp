#include "workload/transformer/transformer.hpp"

namespace orrery::core {
namespace {

// Returns the parameters of one MLP that is `ffn` wide.
std::uint64_t mlp_parameters(const Transformer& model, std::uint64_t ffn) {
  const std::uint64_t up = model.gated ? 2 : 1;
  const std::uint64_t biases = model.biases.mlp ? up * ffn + model.hidden : 0;
  return (up + 1) * model.hidden * ffn + biases;
}

std::uint64_t norm_parameters(const Transformer& model, std::uint64_t width) {
  return model.biases.norm ? 2 * width : width;
}

std::uint64_t attention_parameters(const Transformer& model) {
  std::uint64_t parameters = attention_weights(model);
  if (model.latent) {
    if (model.latent->query_rank > 0) parameters += norm_parameters(model, model.latent->query_rank);
    parameters += norm_parameters(model, model.latent->kv_rank);
  } else {
    if (model.biases.qkv) parameters += model.query_width() + 2 * model.kv_width();
    if (model.query_key_norm) parameters += 2 * norm_parameters(model, model.head_width);
  }
  if (model.biases.attention_output) parameters += model.hidden;
  if (model.attention_sinks) parameters += model.heads;
  return parameters;
}

// Returns the parameters of what a masked head has besides the product with the vocabulary.
std::uint64_t masked_head_parameters(const Transformer& model) {
  if (!model.masked) return 0;
  const std::uint64_t dense = model.hidden * model.hidden + model.hidden;
  std::uint64_t parameters = model.masked->transform ? dense + norm_parameters(model, model.hidden) : 0;
  if (model.masked->classes > 0) parameters += dense + (model.hidden + 1) * model.masked->classes;
  return parameters;
}

}  // namespace

bool Transformer::has_experts(std::uint64_t layer) const {
  return moe && layer >= moe->dense_layers && (layer - moe->dense_layers) % moe->every == moe->every - 1;
}

std::uint64_t Transformer::layers_with_experts() const {
  return moe && layers > moe->dense_layers ? (layers - moe->dense_layers) / moe->every : 0;
}

std::uint64_t attention_weights(const Transformer& model) {
  const std::uint64_t h = model.hidden, q = model.query_width(), values = model.heads * model.value_width();
  if (!model.latent) return h * (q + 2 * model.kv_width()) + q * h;
  const LatentAttention& latent = *model.latent;
  const std::uint64_t content = model.heads * (model.head_width - latent.rotary_width);
  const std::uint64_t queries = latent.query_rank > 0 ? h * latent.query_rank + latent.query_rank * q : h * q;
  return queries + h * (latent.kv_rank + latent.rotary_width) + latent.kv_rank * (content + values) +
         values * h;
}

LayerParameters layer_parameters(const Transformer& model, bool with_experts) {
  LayerParameters parameters;
  parameters.attention = attention_parameters(model);
  parameters.norms = model.norms_per_layer * norm_parameters(model, model.hidden);
  if (!with_experts || !model.moe) {
    parameters.mlp = mlp_parameters(model, model.ffn);
    return parameters;
  }
  const MixtureOfExperts& moe = *model.moe;
  if (moe.shared_experts > 0) parameters.mlp = mlp_parameters(model, moe.shared_experts * moe.ffn);
  parameters.router = model.hidden * moe.experts;
  if (model.biases.router) parameters.router += moe.experts;
  if (moe.balance_bias) parameters.router += moe.experts;
  parameters.experts = moe.experts * mlp_parameters(model, moe.ffn);
  return parameters;
}

TransformerParameters transformer_parameters(const Transformer& model) {
  const std::uint64_t with_experts = model.layers_with_experts();
  const LayerParameters expert_layer = layer_parameters(model, true);
  TransformerParameters parameters;
  parameters.layers = (model.layers - with_experts) * layer_parameters(model, false).total();
  parameters.layers += with_experts * expert_layer.total();
  const std::uint64_t width = model.embedding_width > 0 ? model.embedding_width : model.hidden;
  const std::uint64_t projection = width == model.hidden ? 0 : width * model.hidden;
  parameters.embedding = model.vocabulary * width + projection;
  if (model.embedding_norm) parameters.embedding += norm_parameters(model, model.hidden);
  parameters.positions = (model.positions + model.token_types) * model.hidden;
  parameters.head = projection + (model.tied_embeddings ? 0 : model.vocabulary * width) +
                    (model.biases.head ? model.vocabulary : 0) + masked_head_parameters(model);
  if (model.final_norm) parameters.final_norm = norm_parameters(model, model.hidden);
  parameters.active = parameters.total();
  if (model.moe)
    parameters.active -= with_experts * (expert_layer.experts / model.moe->experts) *
                         (model.moe->experts - model.moe->experts_per_token);
  return parameters;
}

}  // namespace orrery::core
