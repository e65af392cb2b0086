#include <fmt/format.h>

#include <algorithm>

#include "workload/transformer/huggingface/huggingface_readers.hpp"
#include "workload/transformer/transformer_check.hpp"

namespace orrery::core::huggingface {
namespace {

// Reads the number of experts and how many of them a token passes.
MixtureOfExperts& add_experts(const Reading& config, Transformer& model, std::string_view experts,
                              std::string_view per_token = "num_experts_per_tok") {
  MixtureOfExperts& moe = model.moe.emplace();
  moe.experts = config.keys.size(experts, max_experts, config.usual.experts);
  moe.experts_per_token = config.keys.size(per_token, max_experts, config.usual.experts_per_token);
  moe.ffn = model.ffn;
  return moe;
}

// Reads a number, or a list of one for each layer, of which the largest is counted for all.
std::uint64_t size_of_all_layers(const Reading& config, std::string_view key, int most, std::uint64_t usual) {
  const InputNode* value = config.keys.find(key);
  if (!value || value->kind != InputNode::Kind::list) return config.keys.size(key, most, usual);
  std::uint64_t largest = 1;
  bool differ = false;
  for (const InputNode& item : value->items) {
    const auto number = static_cast<std::uint64_t>(int_of(item, key, 1, most));
    differ = differ || (&item != &value->items.front() && number != largest);
    largest = std::max(largest, number);
  }
  if (differ)
    config.warnings.add(value->where,
                        fmt::format("layers of different sizes are not modelled (`{}`): {}, the largest, is "
                                    "counted for all",
                                    key, largest));
  return largest;
}

void read_expert_width(const Reading& config, MixtureOfExperts& moe) {
  moe.ffn = config.keys.size("moe_intermediate_size", widest_layer, config.usual.expert_ffn);
}

// The names of DeepSeek's keys, which other types have, too.
MixtureOfExperts& add_deepseek_experts(const Reading& config, Transformer& model, std::uint64_t shared,
                                       std::uint64_t dense) {
  HuggingfaceKeys& keys = config.keys;
  MixtureOfExperts& moe = add_experts(config, model, "n_routed_experts");
  read_expert_width(config, moe);
  moe.shared_experts = keys.count_or("n_shared_experts", max_experts, shared, 0);
  moe.dense_layers = keys.count_or("first_k_dense_replace", max_layers, dense, 0);
  if (keys.find("moe_layer_freq")) moe.every = keys.count("moe_layer_freq", max_layers);
  return moe;
}

// Widths that the library's class takes where they are not given.
struct LatentUsual {
  std::uint64_t query_rank = 1536, width = 128, value_width = 128;
};

Transformer latent_attention(const Reading& config, const LatentUsual& usual_latent = {}) {
  auto& [keys, usual, warnings] = config;
  Transformer model = llama(config);
  model.kv_heads = 0;        // every head has keys and values of its own
  model.biases.qkv = false;  // latent attention has none here; a warning says so
  LatentAttention& latent = model.latent.emplace();
  // A null says that queries come straight from the input.
  latent.query_rank =
      keys.count_or("q_lora_rank", widest_layer, keys.has("q_lora_rank") ? 0 : usual_latent.query_rank, 0);
  constexpr std::uint64_t usual_kv_rank = 512, usual_rotary = 64;
  latent.kv_rank = keys.size("kv_lora_rank", widest_layer, usual_kv_rank);
  latent.rotary_width = keys.find("qk_rope_head_dim")
                            ? keys.count("qk_rope_head_dim", max_heads / 2, 0)
                            : keys.size("qk_rope_head_dim", max_heads, usual_rotary);
  latent.value_width = keys.size("v_head_dim", max_heads, usual_latent.value_width);
  model.head_width = latent.rotary_width + keys.size("qk_nope_head_dim", max_heads / 2, usual_latent.width);
  return model;
}

}  // namespace

Transformer mixtral(const Reading& config) {
  Transformer model = llama(config);
  add_experts(config, model, "num_local_experts");
  return model;
}

Transformer phimoe(const Reading& config) {
  Transformer model = mixtral(config);
  model.norm = NormKind::layer;
  model.biases.norm = true;
  if (config.keys.flag("lm_head_bias", false))
    config.warnings.add(config.keys.where("lm_head_bias"),
                        "a bias of the head is not modelled (`lm_head_bias`): none is counted");
  return model;
}

Transformer gpt_oss(const Reading& config) {
  Transformer model = mixtral(config);
  const bool bias = config.keys.flag("attention_bias", true);
  model.biases = {bias, bias, true, false, true};
  model.attention_sinks = true;
  return model;
}

Transformer dbrx(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model;
  model.gated = model.rotary = true;
  model.layers = keys.size("n_layers", max_layers, usual.layers);
  model.hidden = keys.size("d_model", widest_layer, usual.hidden);
  model.heads = keys.size("n_heads", max_heads, usual.heads);
  model.kv_heads = usual.kv_heads;
  model.head_width = 0;  // as usual
  model.sequence = keys.size("max_seq_len", longest_sequence, usual.sequence);
  model.tied_embeddings = keys.flag("tie_word_embeddings", usual.tied);
  if (const InputNode* attention = keys.find("attn_config"))
    model.kv_heads = HuggingfaceKeys(*attention).count_or("kv_n_heads", max_heads, usual.kv_heads);
  InputNode none;
  none.kind = InputNode::Kind::map;
  none.where = keys.where("ffn_config");
  const InputNode* const mlp = keys.find("ffn_config");
  HuggingfaceKeys inner(mlp ? *mlp : none);
  MixtureOfExperts& moe = model.moe.emplace();
  moe.ffn = model.ffn = inner.size("ffn_hidden_size", widest_layer, usual.expert_ffn);
  moe.experts = inner.size("moe_num_experts", max_experts, usual.experts);
  moe.experts_per_token = inner.size("moe_top_k", max_experts, usual.experts_per_token);
  model.activation = Activation::silu;
  if (const InputNode* act = inner.find("ffn_act_fn"))
    model.activation = activation_of(HuggingfaceKeys(*act), "name", Activation::silu);
  keys.add_missing(inner.missing());
  return model;
}

Transformer olmoe(const Reading& config) {
  Transformer model = olmo2(config);
  add_experts(config, model, "num_experts");
  return model;
}

Transformer granitemoe(const Reading& config) {
  return mixtral(config);
}

Transformer qwen2_moe(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = llama(config);
  model.biases.qkv = keys.flag("qkv_bias", true);
  model.biases.attention_output = false;
  MixtureOfExperts& moe = add_experts(config, model, "num_experts");
  read_expert_width(config, moe);
  if (keys.find("decoder_sparse_step")) moe.every = keys.count("decoder_sparse_step", max_layers);
  constexpr std::uint64_t usual_shared = 5632;
  const std::uint64_t width = keys.size("shared_expert_intermediate_size", widest_layer, usual_shared);
  moe.shared_experts = (width + moe.ffn - 1) / moe.ffn;
  if (width % moe.ffn != 0)
    warnings.add(
        keys.where("shared_expert_intermediate_size"),
        fmt::format("a shared expert of another width than a multiple of the others' is not modelled: "
                    "{} is counted as {}",
                    width, moe.shared_experts * moe.ffn));
  warnings.add(keys.where("shared_expert_intermediate_size"),
               "the gate of the shared expert, a product of one column, is not modelled");
  return model;
}

Transformer qwen3_moe(const Reading& config) {
  Transformer model = qwen3(config);
  MixtureOfExperts& moe = add_experts(config, model, "num_experts");
  read_expert_width(config, moe);
  if (config.keys.find("decoder_sparse_step"))
    moe.every = config.keys.count("decoder_sparse_step", max_layers);
  return model;
}

// Layers with experts have a shared one as wide as the others; plain layers have a width of their own.
Transformer llama4(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = llama(config);
  MixtureOfExperts& moe = add_experts(config, model, "num_local_experts");
  moe.shared_experts = 1;
  constexpr std::uint64_t usual_plain = 16384;
  model.ffn = keys.size("intermediate_size_mlp", widest_layer, usual_plain);
  moe.every = keys.count_or("interleave_moe_layer_step", max_layers, 1);
  if (keys.flag("use_qk_norm", true))
    warnings.add(keys.where("use_qk_norm"),
                 "norms of queries and keys without weights are not modelled: none are counted");
  return model;
}

Transformer deepseek_v2(const Reading& config) {
  constexpr std::uint64_t shared = 2;
  Transformer model = latent_attention(config);
  // A model without experts says so by a null.
  if (!config.keys.has("n_routed_experts") || config.keys.find("n_routed_experts"))
    add_deepseek_experts(config, model, shared, 0);
  return model;
}

Transformer deepseek_v3(const Reading& config) {
  constexpr std::uint64_t shared = 1, dense = 3;
  Transformer model = latent_attention(config);
  add_deepseek_experts(config, model, shared, dense).balance_bias = true;
  return model;
}

Transformer glm4_moe(const Reading& config) {
  Transformer model = llama(config);
  model.biases.attention_output = false;
  model.query_key_norm = config.keys.flag("use_qk_norm", false);
  add_deepseek_experts(config, model, 1, 1).balance_bias = true;
  return model;
}

Transformer glm4_moe_lite(const Reading& config) {
  constexpr LatentUsual usual{768, 192, 256};
  Transformer model = latent_attention(config, usual);
  add_deepseek_experts(config, model, 1, 1).balance_bias = true;
  return model;
}

Transformer dots1(const Reading& config) {
  Transformer model = qwen3(config);
  add_deepseek_experts(config, model, 0, 0).balance_bias = true;
  return model;
}

// Layers with experts are those whose number, from 1, is a multiple of the interval, from the first to the
// last of a range.
Transformer ernie4_5_moe(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = ernie4_5(config);
  MixtureOfExperts& moe = add_experts(config, model, "moe_num_experts", "moe_k");
  read_expert_width(config, moe);
  constexpr std::uint64_t usual_shared = 2;
  moe.shared_experts = keys.count_or("moe_num_shared_experts", max_experts, usual_shared, 0);
  moe.every = keys.count_or("moe_layer_interval", max_layers, 1);
  const std::uint64_t first = keys.count_or("moe_layer_start_index", max_layers, 1, 0);
  moe.dense_layers = first / moe.every * moe.every;
  moe.balance_bias = true;
  if (const InputNode* end = keys.find("moe_layer_end_index")) {
    const std::int64_t last = whole_of(*end, "moe_layer_end_index", -1, max_layers);
    if (last >= 0 && static_cast<std::uint64_t>(last) + 1 < model.layers)
      warnings.add(end->where, fmt::format("plain MLPs of the last layers are not modelled "
                                           "(`moe_layer_end_index` is {}): they are counted with experts",
                                           last));
  }
  return model;
}

// One MLP of the width of an expert is shared by all tokens.
Transformer hunyuan_moe(const Reading& config) {
  auto& [keys, usual, warnings] = config;
  Transformer model = qwen3(config);
  MixtureOfExperts& moe = model.moe.emplace();
  moe.experts = size_of_all_layers(config, "num_experts", max_experts, usual.experts);
  moe.experts_per_token = size_of_all_layers(config, "moe_topk", max_experts, usual.experts_per_token);
  moe.ffn = model.ffn;
  moe.shared_experts = 1;
  return model;
}

Transformer minimax_m2(const Reading& config) {
  Transformer model = mixtral(config);
  model.query_key_norm = true;
  warn_of_wide_norm(config, "model_type");
  model.moe->balance_bias = true;
  return model;
}

}  // namespace orrery::core::huggingface
