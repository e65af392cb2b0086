#include <fmt/format.h>

#include "workload/transformer/huggingface/huggingface_readers.hpp"
#include "workload/transformer/transformer_check.hpp"

namespace orrery::core::huggingface {
namespace {

constexpr std::array<EnumName<Activation>, 10> act_words{{
    {"gelu", Activation::gelu},
    {"gelu_new", Activation::gelu},
    {"gelu_fast", Activation::gelu},
    {"gelu_pytorch_tanh", Activation::gelu},
    {"gelu_python", Activation::gelu},
    {"relu", Activation::relu},
    {"relu2", Activation::squared_relu},
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"xielu", Activation::gelu},  // a smooth function of each number, too; its two weights are not counted
}};

// Reads the keys of Llama, but for that of the sequence.
Transformer llama_like(const Reading& config, std::string_view sequence) {
  auto& [keys, usual, warnings] = config;
  Transformer model;
  const bool bias = keys.flag("attention_bias", false);
  model.biases = {bias, bias, keys.flag("mlp_bias", false), false, false};
  model.gated = model.rotary = true;
  model.norm = NormKind::rms;
  model.layers = keys.size("num_hidden_layers", max_layers, usual.layers);
  model.hidden = keys.size("hidden_size", widest_layer, usual.hidden);
  model.heads = keys.size("num_attention_heads", max_heads, usual.heads);
  // A null says as many as heads; where the key is missing, the type may have fewer.
  model.kv_heads = keys.has("num_key_value_heads") || usual.kv_heads == 0
                       ? keys.count_or("num_key_value_heads", max_heads, 0)
                       : keys.size("num_key_value_heads", max_heads, usual.kv_heads);
  model.head_width = keys.count_or("head_dim", max_heads, usual.head_width);
  model.ffn = keys.size("intermediate_size", widest_layer, usual.ffn);
  model.sequence = keys.size(sequence, longest_sequence, usual.sequence);
  model.tied_embeddings = keys.flag("tie_word_embeddings", usual.tied);
  model.activation = activation_of(keys, "hidden_act", Activation::silu);
  return model;
}

}  // namespace

void warn_of_wide_norm(const Reading& config, std::string_view key) {
  config.warnings.add(
      config.keys.where(key),
      "norms of all heads' queries and keys together are not modelled: one of a head's width is "
      "counted for all");
}

Activation activation_of(const HuggingfaceKeys& keys, std::string_view key, Activation usual) {
  const InputNode* value = keys.find(key);
  return value ? word_value_of(*value, key, act_words) : usual;
}

void warn_of_parallel_layers(const Reading& config, std::string_view key, bool one_norm) {
  config.warnings.add(
      config.keys.where(key),
      fmt::format("attention and MLP of a layer side by side are not modelled: they are counted "
                  "one after the other, with {}two all-reduces of tensor parallelism",
                  one_norm ? "two norms and " : ""));
}

Transformer llama(const Reading& config) {
  return llama_like(config, "max_position_embeddings");
}

Transformer qwen2(const Reading& config) {
  Transformer model = llama(config);
  model.biases.qkv = true;
  model.biases.attention_output = false;
  return model;
}

Transformer qwen3(const Reading& config) {
  Transformer model = llama(config);
  model.query_key_norm = true;
  return model;
}

Transformer gemma(const Reading& config) {
  Transformer model = llama(config);
  const bool newer = config.keys.find("hidden_activation") != nullptr;
  model.activation = activation_of(config.keys, newer ? "hidden_activation" : "hidden_act", Activation::gelu);
  return model;
}

Transformer gemma2(const Reading& config) {
  Transformer model = gemma(config);
  model.norms_per_layer = 4;
  return model;
}

Transformer gemma3(const Reading& config) {
  Transformer model = gemma2(config);
  model.query_key_norm = true;
  return model;
}

Transformer cohere(const Reading& config) {
  Transformer model = llama(config);
  model.norm = NormKind::layer;
  model.query_key_norm = config.keys.flag("use_qk_norm", false);
  if (model.query_key_norm) warn_of_wide_norm(config, "use_qk_norm");
  warn_of_parallel_layers(config, "model_type", true);
  return model;
}

// Norms have no weights, which warn_of_unmodelled() would say of a key.
Transformer olmo(const Reading& config) {
  Transformer model = llama(config);
  model.norm = NormKind::layer;
  config.warnings.add(config.keys.where("model_type"),
                      "norms without weights are not modelled: weights are counted");
  return model;
}

Transformer olmo2(const Reading& config) {
  Transformer model = qwen3(config);
  warn_of_wide_norm(config, "model_type");
  return model;
}

Transformer granite(const Reading& config) {
  return llama(config);
}

Transformer glm(const Reading& config) {
  Transformer model = llama(config);
  model.biases.qkv = config.keys.flag("attention_bias", true);
  model.biases.attention_output = false;
  return model;
}

Transformer glm4(const Reading& config) {
  Transformer model = glm(config);
  model.norms_per_layer = 4;
  return model;
}

Transformer helium(const Reading& config) {
  Transformer model = llama(config);
  model.biases.attention_output = false;
  return model;
}

Transformer seed_oss(const Reading& config) {
  Transformer model = llama(config);
  model.biases.qkv = config.keys.flag("attention_bias", true);
  model.biases.attention_output = config.keys.flag("attention_out_bias", false);
  model.dropout = config.keys.share("residual_dropout");
  return model;
}

Transformer ernie4_5(const Reading& config) {
  Transformer model = llama(config);
  const bool bias = config.keys.flag("use_bias", false);
  model.biases = {bias, bias, bias, false, false};
  return model;
}

Transformer internlm2(const Reading& config) {
  Transformer model = llama(config);
  model.biases.qkv = model.biases.attention_output = config.keys.flag("bias", true);
  return model;
}

Transformer internlm3(const Reading& config) {
  Transformer model = llama(config);
  const bool bias = config.keys.flag("bias", false);
  model.biases = {config.keys.flag("qkv_bias", false), bias, bias, false, false};
  return model;
}

// The larger models name their sequence by another key, and have no rotary positions: these shift the scores
// (ALiBi).
Transformer baichuan(const Reading& config) {
  const bool shifts = config.keys.find("model_max_length") && !config.keys.find("max_position_embeddings");
  Transformer model = llama_like(config, shifts ? "model_max_length" : "max_position_embeddings");
  model.rotary = !shifts;
  return model;
}

}  // namespace orrery::core::huggingface
