#include "workload/transformer/huggingface/huggingface_warnings.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "workload/transformer/transformer_check.hpp"

namespace orrery::core {
namespace {

// Finds the number of dense layers in front that makes exactly the wanted layers have experts.
bool place_experts(Transformer& model, const std::vector<bool>& wanted) {
  MixtureOfExperts& moe = *model.moe;
  const std::uint64_t usual = moe.dense_layers;
  for (moe.dense_layers = 0; moe.dense_layers <= model.layers; ++moe.dense_layers) {
    std::uint64_t layer = 0;
    while (layer < model.layers && model.has_experts(layer) == wanted[layer]) ++layer;
    if (layer == model.layers) return true;
  }
  moe.dense_layers = usual;
  return false;
}

// Returns whether the value is the kind, or a list that has it at any level.
bool names_kind(const InputNode& value, std::string_view kind) {
  return (value.kind == InputNode::Kind::text && value.text == kind) ||
         (value.kind == InputNode::Kind::list &&
          std::ranges::any_of(value.items, [&](const InputNode& item) { return names_kind(item, kind); }));
}

void warn_of_windows(const HuggingfaceKeys& config, const Transformer& model, std::uint64_t usual_window,
                     Warnings& warnings) {
  const auto warn = [&](const char* key, std::uint64_t window) {
    if (window >= model.sequence) return;
    warnings.add(
        config.where(key),
        fmt::format("attention to no more than the last {} tokens (`{}`) is not modelled: every layer is "
                    "counted as if it saw all tokens before, which is too much for longer sequences",
                    window, key));
  };
  // If this key exists, the window counts only when it is true.
  const bool is_used = config.flag("use_sliding_window", true);
  if (config.find("sliding_window") && is_used)
    warn("sliding_window", config.count("sliding_window", longest_sequence));
  else if (!config.has("sliding_window") && usual_window > 0)
    warn("sliding_window", usual_window);
  const InputNode* attention = config.find("attention_types");
  constexpr std::uint64_t window_of_gpt_neo = 256;
  if (attention && names_kind(*attention, "local"))
    warn("attention_types", config.count_or("window_size", longest_sequence, window_of_gpt_neo));
  const InputNode* layers = config.find("layer_types");
  for (const char* kind : {"chunked_attention", "linear_attention"})
    if (layers && names_kind(*layers, kind))
      warnings.add(
          layers->where,
          fmt::format("layers of type `{}` are not modelled; all are counted as `full_attention`", kind));
}

// One number stands for all dropout: behind the embedding, of the scores, and of the results of attention and
// MLP.
void warn_of_dropout(const HuggingfaceKeys& config, const Transformer& model, Warnings& warnings) {
  for (const char* key : {"attn_pdrop", "embd_pdrop", "attention_dropout", "embed_dropout",
                          "activation_dropout", "attention_probs_dropout_prob"}) {
    if (!config.find(key)) continue;
    const bool counted = model.dropout > 0 && std::string_view(key) != "activation_dropout";
    if (config.share(key) > 0 && !counted)
      warnings.add(config.where(key), fmt::format("dropout by `{}` is not modelled: none is counted", key));
    if (config.share(key) == 0 && counted)
      warnings.add(config.where(key),
                   fmt::format("dropout is modelled everywhere or nowhere: it is counted here, "
                               "too, although `{}` is 0",
                               key));
  }
}

// A key that is true or above zero, and what it means.
struct Feature {
  const char* key;
  const char* text;
};
constexpr std::array<Feature, 4> features{{
    {"num_nextn_predict_layers",
     "layers that predict further tokens are not modelled: the main model is counted alone"},
    {"layerdrop", "layers that are left out at random are not modelled: all are counted"},
    {"add_cross_attention", "attention to another model is not modelled: none is counted"},
    {"is_encoder_decoder", "encoders are not modelled: the decoder is counted alone"},
}};

bool is_on(const InputNode& value, const char* key) {
  return value.may_be(InputNode::Kind::boolean) ? bool_of(value, key) : number_of(value, key) > 0;
}

}  // namespace

void choose_expert_layers(const HuggingfaceKeys& config, Transformer& model, Warnings& warnings) {
  if (!model.moe) return;
  const InputNode* dense = config.find("mlp_only_layers");
  const InputNode* period = config.find("moe_layer_freq");
  const InputNode* list = config.find("moe_layers");
  const InputNode* kinds = config.find("mlp_layer_types");
  if (!dense && !period && !list && !kinds) return;
  std::vector<bool> wanted;
  for (std::uint64_t layer = 0; layer < model.layers; ++layer)
    wanted.push_back(period ? layer >= model.moe->dense_layers && layer % model.moe->every == 0
                            : !list && model.has_experts(layer));
  if (list)
    for (const InputNode& item : items_of(*list, "moe_layers"))
      if (const int layer = int_of(item, "moe_layers", INT32_MIN, INT32_MAX);
          layer >= 0 && static_cast<std::uint64_t>(layer) < model.layers)
        wanted[static_cast<std::size_t>(layer)] = true;
  if (kinds) {
    const std::vector<InputNode>& words = items_of(*kinds, "mlp_layer_types");
    for (std::size_t layer = 0; layer < std::min(words.size(), wanted.size()); ++layer)
      wanted[layer] = words[layer].text == "sparse";
  }
  if (dense)
    for (const InputNode& item : items_of(*dense, "mlp_only_layers")) {
      const int layer = int_of(item, "mlp_only_layers", INT32_MIN, INT32_MAX);
      if (layer >= 0 && static_cast<std::uint64_t>(layer) < model.layers)
        wanted[static_cast<std::size_t>(layer)] = false;
    }
  if (place_experts(model, wanted)) return;
  const char* key = dense   ? "mlp_only_layers"
                    : kinds ? "mlp_layer_types"
                    : list  ? "moe_layers"
                            : "moe_layer_freq";
  warnings.add(config.where(key),
               fmt::format("these layers with plain MLPs are not modelled (`{}`): the last of each {} layers "
                           "is counted with experts, but for the first {}",
                           key, model.moe->every, model.moe->dense_layers));
}

void warn_of_unmodelled(const HuggingfaceKeys& config, const Transformer& model, std::uint64_t usual_window,
                        Warnings& warnings) {
  warn_of_windows(config, model, usual_window, warnings);
  warn_of_dropout(config, model, warnings);
  for (const Feature& feature : features)
    if (const InputNode* value = config.find(feature.key); value && is_on(*value, feature.key))
      warnings.add(value->where, fmt::format("{} (`{}`)", feature.text, feature.key));
  if (!config.flag("layer_norm_elementwise_affine", true))
    warnings.add(
        config.where("layer_norm_elementwise_affine"),
        "norms without weights are not modelled (`layer_norm_elementwise_affine`): weights are counted");
  if (model.latent && config.flag("attention_bias", false))
    warnings.add(config.where("attention_bias"),
                 "biases of low-rank products are not modelled (`attention_bias`): that of the projection is "
                 "counted alone");
}

}  // namespace orrery::core
