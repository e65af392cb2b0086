#include <fmt/format.h>

#include "workload/transformer/huggingface/huggingface_readers.hpp"
#include "workload/transformer/transformer_check.hpp"

namespace orrery::core::huggingface {
namespace {

constexpr Biases everywhere{true, true, true, true, false};

// Learned positions, layer norms and biases everywhere.
Transformer gpt_like(const Reading& config) {
  Transformer model;
  model.kv_heads = model.head_width = model.ffn = 0;  // that is, as usual
  model.biases = everywhere;
  model.tied_embeddings = config.keys.flag("tie_word_embeddings", config.usual.tied);
  return model;
}

void read_sizes(const Reading& config, Transformer& model, std::string_view layers, std::string_view hidden,
                std::string_view heads) {
  model.layers = config.keys.size(layers, max_layers, config.usual.layers);
  model.hidden = config.keys.size(hidden, widest_layer, config.usual.hidden);
  model.heads = config.keys.size(heads, max_heads, config.usual.heads);
}

// Keys of newer models that are otherwise like GPT-2: rotary positions, and sizes named as Llama's.
Transformer with_rotary(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  model.rotary = true;
  read_sizes(config, model, "num_hidden_layers", "hidden_size", "num_attention_heads");
  model.kv_heads = keys.has("num_key_value_heads") || usual.kv_heads == 0
                       ? keys.count_or("num_key_value_heads", max_heads, 0)
                       : keys.size("num_key_value_heads", max_heads, usual.kv_heads);
  model.head_width = keys.count_or("head_dim", max_heads, usual.head_width);
  model.ffn = keys.size("intermediate_size", widest_layer, usual.ffn);
  model.sequence = keys.size("max_position_embeddings", longest_sequence, usual.sequence);
  model.activation = activation_of(keys, "hidden_act", Activation::gelu);
  return model;
}

std::string_view either(const HuggingfaceKeys& keys, std::string_view first, std::string_view other) {
  return keys.find(first) ? first : other;
}

}  // namespace

Transformer gpt2(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  read_sizes(config, model, "n_layer", "n_embd", "n_head");
  model.ffn = keys.count_or("n_inner", widest_layer, 0);
  model.sequence = model.positions = keys.size("n_positions", longest_sequence, usual.sequence);
  model.activation = activation_of(keys, "activation_function", Activation::gelu);
  model.dropout = keys.share("resid_pdrop");
  return model;
}

Transformer gpt_bigcode(const Reading& config) {
  Transformer model = gpt2(config);
  if (config.keys.flag("multi_query", true)) model.kv_heads = 1;
  return model;
}

Transformer gptj(const Reading& config) {
  Transformer model = gpt2(config);
  model.positions = 0;
  model.rotary = true;
  model.biases.qkv = model.biases.attention_output = false;
  warn_of_parallel_layers(config, "model_type", true);
  return model;
}

Transformer gpt_neo(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  model.biases.qkv = false;
  read_sizes(config, model, "num_layers", "hidden_size", "num_heads");
  model.ffn = keys.count_or("intermediate_size", widest_layer, 0);
  model.sequence = model.positions = keys.size("max_position_embeddings", longest_sequence, usual.sequence);
  model.activation = activation_of(keys, "activation_function", Activation::gelu);
  model.dropout = keys.share("resid_dropout");
  return model;
}

Transformer gpt_neox(const Reading& config) {
  Transformer model = with_rotary(config);
  model.biases.qkv = model.biases.attention_output = config.keys.flag("attention_bias", true);
  model.dropout = config.keys.share("hidden_dropout");
  if (config.keys.flag("use_parallel_residual", true))
    warn_of_parallel_layers(config, "use_parallel_residual", false);
  return model;
}

Transformer opt(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  const bool bias = keys.flag("enable_bias", true);
  model.biases = {bias, bias, bias, true, false};
  read_sizes(config, model, "num_hidden_layers", "hidden_size", "num_attention_heads");
  model.ffn = keys.size("ffn_dim", widest_layer, usual.ffn);
  model.sequence = keys.size("max_position_embeddings", longest_sequence - 2, usual.sequence);
  model.positions = model.sequence + 2;  // positions count from 2
  model.embedding_width = keys.count_or("word_embed_proj_dim", widest_layer, 0);
  model.final_norm = keys.flag("do_layer_norm_before", true) && !keys.flag("_remove_final_layer_norm", false);
  model.activation = activation_of(keys, "activation_function", Activation::relu);
  model.dropout = keys.share("dropout");
  return model;
}

Transformer bloom(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  model.embedding_norm = true;
  read_sizes(config, model, either(keys, "n_layer", "num_hidden_layers"),
             either(keys, "n_embed", "hidden_size"), either(keys, "n_head", "num_attention_heads"));
  model.sequence = keys.count_or("seq_length", longest_sequence, usual.sequence);
  model.dropout = keys.share("hidden_dropout");
  return model;
}

// Positions only shift the scores (ALiBi). The library's MLP has the width 4 whatever `expansion_ratio` is.
Transformer mpt(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  model.biases = {};
  read_sizes(config, model, "n_layers", "d_model", "n_heads");
  model.sequence = keys.size("max_seq_len", longest_sequence, usual.sequence);
  constexpr double of_library = 4;
  if (const InputNode* ratio = keys.find("expansion_ratio");
      ratio && number_of(*ratio, "expansion_ratio") != of_library)
    warnings.add(ratio->where,
                 fmt::format("the library does not use `expansion_ratio`: MLPs have 4 times the width, {}",
                             4 * model.hidden));
  if (const InputNode* attention = keys.find("attn_config"))
    model.kv_heads = HuggingfaceKeys(*attention).count_or("kv_n_heads", max_heads, 0);
  return model;
}

Transformer falcon(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  const bool bias = keys.flag("bias", false), newer = keys.flag("new_decoder_architecture", false);
  model.biases = {bias, bias, bias, true, false};
  model.rotary = !keys.flag("alibi", false);
  read_sizes(config, model, either(keys, "n_layer", "num_hidden_layers"),
             either(keys, "n_embed", "hidden_size"), either(keys, "n_head", "num_attention_heads"));
  if (newer)
    model.kv_heads = keys.count_or(either(keys, "n_head_kv", "num_kv_heads"), max_heads, 0);
  else if (keys.flag("multi_query", true))
    model.kv_heads = 1;
  model.ffn = keys.count_or("ffn_hidden_size", widest_layer, 0);
  model.sequence = keys.size("max_position_embeddings", longest_sequence, usual.sequence);
  model.activation = activation_of(keys, "activation", Activation::gelu);
  model.dropout = keys.share("hidden_dropout");
  if (newer || keys.flag("parallel_attn", true))
    warn_of_parallel_layers(config, newer ? "new_decoder_architecture" : "parallel_attn",
                            !newer || keys.count_or("num_ln_in_parallel_attn", 2, 2) == 1);
  return model;
}

Transformer nemotron(const Reading& config) {
  Transformer model = with_rotary(config);
  const bool bias = config.keys.flag("attention_bias", false);
  model.biases = {bias, bias, config.keys.flag("mlp_bias", false), true, false};
  model.activation = activation_of(config.keys, "hidden_act", Activation::squared_relu);
  model.dropout = config.keys.share("hidden_dropout");
  return model;
}

Transformer starcoder2(const Reading& config) {
  Transformer model = with_rotary(config);
  const bool bias = config.keys.flag("use_bias", true);
  model.biases = {bias, bias, bias, true, false};
  model.dropout = config.keys.share("residual_dropout");
  return model;
}

Transformer phi(const Reading& config) {
  Transformer model = with_rotary(config);
  model.dropout = config.keys.share("resid_pdrop");
  warn_of_parallel_layers(config, "model_type", true);
  return model;
}

// Gated, but with layer norms.
Transformer stablelm(const Reading& config) {
  Transformer model = with_rotary(config);
  model.gated = true;
  model.activation = activation_of(config.keys, "hidden_act", Activation::silu);
  model.biases = {config.keys.flag("use_qkv_bias", false), false, false, true, false};
  model.query_key_norm = config.keys.flag("qk_layernorm", false);
  model.dropout = config.keys.share("hidden_dropout");
  if (config.keys.flag("use_parallel_residual", false))
    warn_of_parallel_layers(config, "use_parallel_residual", true);
  return model;
}

Transformer persimmon(const Reading& config) {
  Transformer model = with_rotary(config);
  model.activation = activation_of(config.keys, "hidden_act", Activation::squared_relu);
  model.query_key_norm = config.keys.flag("qk_layernorm", true);
  model.dropout = config.keys.share("hidden_dropout");
  return model;
}

// Positions are waves, which have no weights.
Transformer xglm(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = gpt_like(config);
  read_sizes(config, model, "num_layers", "d_model", "attention_heads");
  model.ffn = keys.size("ffn_dim", widest_layer, usual.ffn);
  model.sequence = keys.size("max_position_embeddings", longest_sequence, usual.sequence);
  model.activation = activation_of(keys, "activation_function", Activation::gelu);
  model.dropout = keys.share("dropout");
  return model;
}

}  // namespace orrery::core::huggingface
