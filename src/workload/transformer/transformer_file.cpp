#include "workload/transformer/transformer_file.hpp"

#include <fmt/format.h>

#include "base/yaml_reader.hpp"
#include "workload/transformer/transformer_check.hpp"

namespace orrery {
namespace {

std::uint64_t count_of(const YamlNode& node, std::string_view key, int least, int most) {
  return static_cast<std::uint64_t>(int_of(node, key, least, most));
}

constexpr YamlKey<MixtureOfExperts> expert_keys[] = {
    {"experts",
     [](const YamlNode& v, MixtureOfExperts& m) { m.experts = count_of(v, "experts", 1, most_experts); }},
    {"experts-per-token",
     [](const YamlNode& v, MixtureOfExperts& m) {
       m.experts_per_token = count_of(v, "experts-per-token", 1, most_experts);
     }},
    {"ffn", [](const YamlNode& v, MixtureOfExperts& m) { m.ffn = count_of(v, "ffn", 1, widest_layer); }},
    {"shared-experts",
     [](const YamlNode& v, MixtureOfExperts& m) {
       m.shared_experts = count_of(v, "shared-experts", 0, most_experts);
     }},
    {"dense-layers",
     [](const YamlNode& v, MixtureOfExperts& m) {
       m.dense_layers = count_of(v, "dense-layers", 0, most_layers);
     }},
    {"every", [](const YamlNode& v, MixtureOfExperts& m) { m.every = count_of(v, "every", 1, most_layers); }},
    {"capacity-factor",
     [](const YamlNode& v, MixtureOfExperts& m) {
       m.capacity_factor = real_of(v, "capacity-factor", 0.01, 1000);
     }},
    {"balance-bias",
     [](const YamlNode& v, MixtureOfExperts& m) { m.balance_bias = bool_of(v, "balance-bias"); }},
};

constexpr YamlKey<LatentAttention> latent_keys[] = {
    {"query-rank", [](const YamlNode& v,
                      LatentAttention& l) { l.query_rank = count_of(v, "query-rank", 0, widest_layer); }},
    {"kv-rank",
     [](const YamlNode& v, LatentAttention& l) { l.kv_rank = count_of(v, "kv-rank", 1, widest_layer); }},
    {"rotary-width", [](const YamlNode& v,
                        LatentAttention& l) { l.rotary_width = count_of(v, "rotary-width", 0, most_heads); }},
    {"value-width", [](const YamlNode& v,
                       LatentAttention& l) { l.value_width = count_of(v, "value-width", 1, most_heads); }},
};

std::vector<std::string> keys_of_experts() {
  return key_paths(".", expert_keys);
}
std::vector<std::string> keys_of_latent_attention() {
  return key_paths(".", latent_keys);
}

constexpr std::array<Word<bool Biases::*>, 5> bias_words{{
    {"qkv", &Biases::qkv},
    {"attention-output", &Biases::attention_output},
    {"mlp", &Biases::mlp},
    {"norm", &Biases::norm},
    {"router", &Biases::router},
}};

void read_biases(const YamlNode& node, Transformer& model) {
  if (node.kind != YamlNode::Kind::list) reject_value(node, "biases", "a list: [qkv, mlp]");
  for (const YamlNode& item : node.items) model.biases.*word_value_of(item, "biases", bias_words) = true;
}

void read_experts(const YamlNode& node, Transformer& model) {
  for (const std::string_view key : {"experts", "experts-per-token", "ffn"}) required(node, "`mixture`", key);
  read_map(node, "`mixture`", expert_keys, model.moe.emplace());
}

void read_latent_attention(const YamlNode& node, Transformer& model) {
  for (const auto& key : latent_keys) required(node, "`latent-attention`", key.name);
  read_map(node, "`latent-attention`", latent_keys, model.latent.emplace());
}

constexpr YamlKey<Transformer> transformer_keys[] = {
    {"name", [](const YamlNode& v, Transformer& t) { t.name = label_of(v, "name"); }},
    {"source", [](const YamlNode& v, Transformer& t) { t.source = scalar_of(v, "source"); }},
    {"layers", [](const YamlNode& v, Transformer& t) { t.layers = count_of(v, "layers", 1, most_layers); }},
    {"hidden", [](const YamlNode& v, Transformer& t) { t.hidden = count_of(v, "hidden", 1, widest_layer); }},
    {"heads", [](const YamlNode& v, Transformer& t) { t.heads = count_of(v, "heads", 1, most_heads); }},
    {"kv-heads",
     [](const YamlNode& v, Transformer& t) { t.kv_heads = count_of(v, "kv-heads", 1, most_heads); }},
    {"head-width",
     [](const YamlNode& v, Transformer& t) { t.head_width = count_of(v, "head-width", 1, most_heads); }},
    {"ffn", [](const YamlNode& v, Transformer& t) { t.ffn = count_of(v, "ffn", 1, widest_layer); }},
    {"gated", [](const YamlNode& v, Transformer& t) { t.gated = bool_of(v, "gated"); }},
    {"vocabulary", [](const YamlNode& v,
                      Transformer& t) { t.vocabulary = count_of(v, "vocabulary", 1, largest_vocabulary); }},
    {"sequence",
     [](const YamlNode& v, Transformer& t) { t.sequence = count_of(v, "sequence", 1, longest_sequence); }},
    {"embedding-width",
     [](const YamlNode& v, Transformer& t) {
       t.embedding_width = count_of(v, "embedding-width", 1, widest_layer);
     }},
    {"tied-embeddings",
     [](const YamlNode& v, Transformer& t) { t.tied_embeddings = bool_of(v, "tied-embeddings"); }},
    {"positions",
     [](const YamlNode& v, Transformer& t) { t.positions = count_of(v, "positions", 0, longest_sequence); }},
    {"rotary", [](const YamlNode& v, Transformer& t) { t.rotary = bool_of(v, "rotary"); }},
    {"norm", [](const YamlNode& v, Transformer& t) { t.norm = word_value_of(v, "norm", norm_words); }},
    {"norms-per-layer",
     [](const YamlNode& v, Transformer& t) {
       t.norms_per_layer = count_of(v, "norms-per-layer", 2, 4);
       if (t.norms_per_layer == 3) reject_value(v, "norms-per-layer", "2 or 4");
     }},
    {"final-norm", [](const YamlNode& v, Transformer& t) { t.final_norm = bool_of(v, "final-norm"); }},
    {"embedding-norm",
     [](const YamlNode& v, Transformer& t) { t.embedding_norm = bool_of(v, "embedding-norm"); }},
    {"query-key-norm",
     [](const YamlNode& v, Transformer& t) { t.query_key_norm = bool_of(v, "query-key-norm"); }},
    {"attention-sinks",
     [](const YamlNode& v, Transformer& t) { t.attention_sinks = bool_of(v, "attention-sinks"); }},
    {"activation", [](const YamlNode& v,
                      Transformer& t) { t.activation = word_value_of(v, "activation", activation_words); }},
    {"biases", read_biases},
    {"dropout", [](const YamlNode& v, Transformer& t) { t.dropout = real_of(v, "dropout", 0, 1); }},
    {"causal", [](const YamlNode& v, Transformer& t) { t.causal = bool_of(v, "causal"); }},
    {"mixture", read_experts, keys_of_experts},
    {"latent-attention", read_latent_attention, keys_of_latent_attention},
};

constexpr std::string_view required_keys[] = {"layers", "hidden", "heads", "vocabulary", "sequence"};

// Returns where a key stands, at any level; the place of the whole file if it is not there.
SourceLocation place_of(const YamlNode& root, std::string_view key) {
  for (const std::string_view map : {"mixture", "latent-attention"})
    if (const YamlNode* below = root.find(map))
      if (const YamlNode* node = below->find(key)) return node->where;
  const YamlNode* node = root.find(key);
  return node ? node->where : root.where;
}

}  // namespace

Transformer read_transformer_file(std::string_view text, const std::string& file) {
  const YamlNode root = parse_yaml(text, file);
  require_map(root, "a transformer");
  Transformer model;
  model.kv_heads = model.head_width = model.ffn = 0;  // that is, as usual
  read_map(root, "a transformer", transformer_keys, model);
  for (const std::string_view key : required_keys) required(root, "a transformer", key);
  complete_transformer(model, [&](std::string_view key) { return place_of(root, key); });
  return model;
}

std::vector<std::string> transformer_file_keys() {
  return key_paths("", transformer_keys);
}

}  // namespace orrery
