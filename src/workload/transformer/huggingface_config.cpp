#include "workload/transformer/huggingface_config.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/words.hpp"
#include "workload/transformer/huggingface_keys.hpp"
#include "workload/transformer/huggingface_warnings.hpp"
#include "workload/transformer/transformer_check.hpp"

namespace orrery {
namespace {

using Config = HuggingfaceKeys;

constexpr std::array<Word<Activation>, 8> act_words{{
    {"gelu", Activation::gelu},
    {"gelu_new", Activation::gelu},
    {"gelu_fast", Activation::gelu},
    {"gelu_pytorch_tanh", Activation::gelu},
    {"relu", Activation::relu},
    {"relu2", Activation::squared_relu},
    {"silu", Activation::silu},
    {"swish", Activation::silu},
}};

Activation activation_of(const Config& config, std::string_view key, Activation usual) {
  const InputNode* value = config.find(key);
  return value ? word_value_of(*value, key, act_words) : usual;
}

// Learned positions, layer norms and biases everywhere.
Transformer gpt_like(const Config& config) {
  Transformer model;
  model.kv_heads = model.head_width = model.ffn = 0;  // that is, as usual
  model.biases = {true, true, true, true, false};
  model.tied_embeddings = config.flag("tie_word_embeddings", true);
  return model;
}

Transformer gpt2(const Config& config) {
  Transformer model = gpt_like(config);
  model.layers = config.count("n_layer", most_layers);
  model.hidden = config.count("n_embd", widest_layer);
  model.heads = config.count("n_head", most_heads);
  model.ffn = config.count_or("n_inner", widest_layer, 0);
  model.sequence = model.positions = config.count("n_positions", longest_sequence);
  model.activation = activation_of(config, "activation_function", Activation::gelu);
  model.dropout = config.share("resid_pdrop");
  return model;
}

Transformer gpt_neo(const Config& config) {
  Transformer model = gpt_like(config);
  model.biases.qkv = false;
  model.layers = config.count("num_layers", most_layers);
  model.hidden = config.count("hidden_size", widest_layer);
  model.heads = config.count("num_heads", most_heads);
  model.ffn = config.count_or("intermediate_size", widest_layer, 0);
  model.sequence = model.positions = config.count("max_position_embeddings", longest_sequence);
  model.activation = activation_of(config, "activation_function", Activation::gelu);
  model.dropout = config.share("resid_dropout");
  return model;
}

Transformer opt(const Config& config) {
  Transformer model = gpt_like(config);
  const bool bias = config.flag("enable_bias", true);
  model.biases = {bias, bias, bias, true, false};
  model.layers = config.count("num_hidden_layers", most_layers);
  model.hidden = config.count("hidden_size", widest_layer);
  model.heads = config.count("num_attention_heads", most_heads);
  model.ffn = config.count("ffn_dim", widest_layer);
  model.sequence = config.count("max_position_embeddings", longest_sequence - 2);
  model.positions = model.sequence + 2;  // positions count from 2
  model.embedding_width = config.count_or("word_embed_proj_dim", widest_layer, 0);
  model.final_norm =
      config.flag("do_layer_norm_before", true) && !config.flag("_remove_final_layer_norm", false);
  model.activation = activation_of(config, "activation_function", Activation::relu);
  model.dropout = config.share("dropout");
  return model;
}

Transformer bloom(const Config& config) {
  Transformer model = gpt_like(config);
  model.embedding_norm = true;
  model.layers = config.count(config.find("n_layer") ? "n_layer" : "num_hidden_layers", most_layers);
  model.hidden = config.count(config.find("n_embed") ? "n_embed" : "hidden_size", widest_layer);
  model.heads = config.count(config.find("n_head") ? "n_head" : "num_attention_heads", most_heads);
  model.sequence = config.count_or("seq_length", longest_sequence, 2048);
  model.dropout = config.share("hidden_dropout");
  return model;
}

Transformer llama(const Config& config) {
  Transformer model;
  const bool bias = config.flag("attention_bias", false);
  model.biases = {bias, bias, config.flag("mlp_bias", false), false, false};
  model.gated = model.rotary = true;
  model.norm = NormKind::rms;
  model.layers = config.count("num_hidden_layers", most_layers);
  model.hidden = config.count("hidden_size", widest_layer);
  model.heads = config.count("num_attention_heads", most_heads);
  model.kv_heads = config.count_or("num_key_value_heads", most_heads, 0);
  model.head_width = config.count_or("head_dim", most_heads, 0);
  model.ffn = config.count("intermediate_size", widest_layer);
  model.sequence = config.count("max_position_embeddings", longest_sequence);
  model.tied_embeddings = config.flag("tie_word_embeddings", false);
  model.activation = activation_of(config, "hidden_act", Activation::silu);
  return model;
}

Transformer qwen2(const Config& config) {
  Transformer model = llama(config);
  model.biases.qkv = true;
  model.biases.attention_output = false;
  return model;
}

Transformer qwen3(const Config& config) {
  Transformer model = llama(config);
  model.query_key_norm = true;
  return model;
}

Transformer mixtral(const Config& config) {
  Transformer model = llama(config);
  MixtureOfExperts& moe = model.moe.emplace();
  moe.experts = config.count("num_local_experts", most_experts);
  moe.experts_per_token = config.count("num_experts_per_tok", most_experts);
  moe.ffn = model.ffn;
  return model;
}

Transformer qwen3_moe(const Config& config) {
  Transformer model = qwen3(config);
  MixtureOfExperts& moe = model.moe.emplace();
  moe.experts = config.count("num_experts", most_experts);
  moe.experts_per_token = config.count("num_experts_per_tok", most_experts);
  moe.ffn = config.count("moe_intermediate_size", widest_layer);
  if (config.find("decoder_sparse_step")) moe.every = config.count("decoder_sparse_step", most_layers);
  return model;
}

Transformer deepseek_v3(const Config& config) {
  Transformer model = llama(config);
  model.kv_heads = 0;        // every head has keys and values of its own
  model.biases.qkv = false;  // latent attention has none here; a warning says so
  LatentAttention& latent = model.latent.emplace();
  latent.query_rank = config.count_or("q_lora_rank", widest_layer, 0, 0);
  latent.kv_rank = config.count("kv_lora_rank", widest_layer);
  latent.rotary_width = config.count("qk_rope_head_dim", most_heads / 2, 0);
  latent.value_width = config.count("v_head_dim", most_heads);
  model.head_width = latent.rotary_width + config.count("qk_nope_head_dim", most_heads / 2);
  MixtureOfExperts& moe = model.moe.emplace();
  moe.experts = config.count("n_routed_experts", most_experts);
  moe.experts_per_token = config.count("num_experts_per_tok", most_experts);
  moe.ffn = config.count("moe_intermediate_size", widest_layer);
  moe.shared_experts = config.count_or("n_shared_experts", most_experts, 0, 0);
  moe.dense_layers = config.count_or("first_k_dense_replace", most_layers, 0, 0);
  if (config.find("moe_layer_freq")) moe.every = config.count("moe_layer_freq", most_layers);
  moe.balance_bias = true;
  return model;
}

using Reader = Transformer (*)(const Config&);
constexpr std::array<Word<Reader>, 11> readers{{
    {"bloom", bloom},
    {"deepseek_v3", deepseek_v3},
    {"gpt2", gpt2},
    {"gpt_neo", gpt_neo},
    {"llama", llama},
    {"mistral", llama},
    {"mixtral", mixtral},
    {"opt", opt},
    {"qwen2", qwen2},
    {"qwen3", qwen3},
    {"qwen3_moe", qwen3_moe},
}};

// Returns where the configuration has a key that complete_transformer() names, under the configuration's own
// name.
SourceLocation place_in(const Config& config, std::string_view key) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> names{{
      {"kv-heads", "num_key_value_heads"},
      {"heads", "num_attention_heads"},
      {"heads", "n_head"},
      {"rotary-width", "qk_rope_head_dim"},
      {"experts-per-token", "num_experts_per_tok"},
      {"dense-layers", "first_k_dense_replace"},
  }};
  for (const auto& [ours, theirs] : names)
    if (ours == key && config.find(theirs)) return config.where(theirs);
  return config.where("model_type");
}

}  // namespace

Transformer read_huggingface_config(std::string_view text, const std::string& file, Warnings& warnings) {
  const InputNode root = parse_json(text, file);
  const Config config(root);
  const InputNode* type = config.find("model_type");
  const auto known = huggingface_model_types();
  if (!type)
    throw InputError(root.where,
                     "the configuration has no `model_type`; it has to be " + alternatives(known));
  const std::string& word = scalar_of(*type, "model_type");
  const auto reader = value_of(readers, word);
  if (!reader)
    throw InputError(type->where,
                     fmt::format("models of type {} are not known{}; known are {}. A transformer file "
                                 "can describe others",
                                 backquoted(word), suggestion(word, known), alternatives(known)));
  Transformer model = (*reader)(config);
  model.name = word;
  model.source = file;
  model.vocabulary = config.count("vocab_size", largest_vocabulary);
  complete_transformer(model, [&](std::string_view key) { return place_in(config, key); });
  choose_expert_layers(config, model, warnings);
  warn_of_unmodelled(config, model, warnings);
  return model;
}

std::vector<std::string_view> huggingface_model_types() {
  return words_of(readers);
}

}  // namespace orrery
