#include "workload/transformer/catalogue/transformer_file.hpp"

#include <fmt/format.h>

#include "workload/transformer/transformer_check.hpp"

namespace orrery::core {
namespace {

using Moe = MixtureOfExperts;
constexpr Key<Moe> expert_keys[] = {
    key::integer<&Moe::experts>("experts", 1, max_experts, "required", "number of experts of a layer"),
    key::integer<&Moe::experts_per_token>("experts-per-token", 1, max_experts, "required",
                                          "number of experts that a token passes"),
    key::integer<&Moe::ffn>("ffn", 1, widest_layer, "required", "width of one expert"),
    key::integer<&Moe::shared_experts>("shared-experts", 0, max_experts, "0",
                                       "number of experts that every token passes"),
    key::integer<&Moe::dense_layers>("dense-layers", 0, max_layers, "0",
                                     "number of layers at the beginning that have plain MLPs"),
    key::integer<&Moe::every>(
        "every", 1, max_layers, "1",
        "distance of layers with experts: the last of each `every` of the other layers has them"),
    key::real<&Moe::capacity_factor>("capacity-factor", 0.01, 1000, "1",
                                     "rows that an expert computes, as a multiple of its even share"),
    key::boolean<&Moe::balance_bias>("balance-bias", "false",
                                     "whether a number per expert steers the choice"),
};

using Latent = LatentAttention;
constexpr Key<Latent> latent_keys[] = {
    key::integer<&Latent::query_rank>(
        "query-rank", 0, widest_layer, "required",
        "rank of the product that queries come from; 0: they come straight from the layer's input"),
    key::integer<&Latent::kv_rank>("kv-rank", 1, widest_layer, "required", ""),
    key::integer<&Latent::rotary_width>(
        "rotary-width", 0, max_heads, "required",
        "part of `head-width` that is turned; its keys are the same for all heads"),
    key::integer<&Latent::value_width>("value-width", 1, max_heads, "required", ""),
};

constexpr Key<MaskedHead> masked_keys[] = {
    key::real<&MaskedHead::share>("share", 0.001, 1, "0.15",
                                  "share of a sequence's tokens that the head finds, rounded up"),
    key::boolean<&MaskedHead::transform>("transform", "false",
                                         "whether a product, the activation and a norm precede the head"),
    key::integer<&MaskedHead::classes>(
        "classes", 0, largest_vocabulary, "0",
        "number of classes of a whole sequence, which products tell from its first token; 0: there are none"),
};

constexpr std::array<EnumName<bool Biases::*>, 6> bias_words{{
    {"qkv", &Biases::qkv},
    {"attention-output", &Biases::attention_output},
    {"mlp", &Biases::mlp},
    {"norm", &Biases::norm},
    {"router", &Biases::router},
    {"head", &Biases::head},
}};

void read_biases(const InputNode& node, Transformer& model) {
  if (node.kind != InputNode::Kind::list) reject_value(node, "biases", "a list: [qkv, mlp]");
  for (const InputNode& item : node.items) model.biases.*word_value_of(item, "biases", bias_words) = true;
}

std::uint64_t norms_per_layer(const InputNode& node, const KeyFacts& key) {
  const int norms = int_of(node, key.name, 2, 4);
  if (norms == 3) reject_value(node, key.name, "2 or 4");
  return static_cast<std::uint64_t>(norms);
}

constexpr Key<Transformer> transformer_keys[] = {
    key::label<&Transformer::name>("name", "", "name for people to read"),
    key::text<&Transformer::source>("source", "", "source of the numbers, for people to read"),
    key::integer<&Transformer::layers>("layers", 1, max_layers, "required", ""),
    key::integer<&Transformer::hidden>("hidden", 1, widest_layer, "required", "width between layers"),
    key::integer<&Transformer::heads>("heads", 1, max_heads, "required", "number of heads of attention"),
    key::integer<&Transformer::vocabulary>("vocabulary", 1, largest_vocabulary, "required",
                                           "number of tokens that are known"),
    key::integer<&Transformer::sequence>("sequence", 1, longest_sequence, "required",
                                         "number of tokens of a sample"),
    key::integer<&Transformer::kv_heads>("kv-heads", 1, max_heads, "`heads`",
                                         "number of heads of keys and values, which groups of heads share"),
    key::integer<&Transformer::head_width>("head-width", 1, max_heads, "`hidden` / `heads`",
                                           "width of a head's queries and keys"),
    key::integer<&Transformer::ffn>("ffn", 1, widest_layer, "4 `hidden`", "width of the MLP"),
    key::boolean<&Transformer::gated>("gated", "false", "whether the MLP multiplies two products (SwiGLU)"),
    key::word<activation_words, &Transformer::activation>("activation", "gelu",
                                                          "activation function of the MLP"),
    key::word<norm_words, &Transformer::norm>("norm", "layer", ""),
    key::word<norm_place_words, &Transformer::norm_place>(
        "norm-place", "before",
        "whether norms stand before attention and MLP, or behind the sums with what these began with, as in "
        "BERT"),
    key::declared<norms_per_layer, KeyType::other, &Transformer::norms_per_layer>(
        "norms-per-layer", "2",
        "number of norms in a layer; 4: there are norms behind attention and MLP, too")
        .of("2 or 4"),
    key::boolean<&Transformer::final_norm>("final-norm", "true", "whether there is a norm before the head"),
    key::boolean<&Transformer::embedding_norm>("embedding-norm", "false",
                                               "whether there is a norm behind the embedding"),
    key::boolean<&Transformer::query_key_norm>("query-key-norm", "false",
                                               "whether there is a norm of each head's queries and keys"),
    key::custom<read_biases>("biases", "list of `qkv`, `attention-output`, `mlp`, `norm`, `router`, `head`",
                             "none", "where vectors are added"),
    key::boolean<&Transformer::tied_embeddings>("tied-embeddings", "false",
                                                "whether the head has the embedding's weights"),
    key::integer<&Transformer::embedding_width>("embedding-width", 1, widest_layer, "`hidden`",
                                                "width of the embedding; products lead from it and to it"),
    key::integer<&Transformer::positions>("positions", 0, longest_sequence, "0",
                                          "number of positions with learned vectors"),
    key::integer<&Transformer::token_types>(
        "token-types", 0, largest_vocabulary, "0",
        "number of parts of a sequence with learned vectors, such as the first and the second sentence"),
    key::boolean<&Transformer::rotary>("rotary", "false",
                                       "whether queries and keys are turned by their position"),
    key::boolean<&Transformer::attention_sinks>("attention-sinks", "false",
                                                "whether a number per head takes part in the softmax"),
    key::boolean<&Transformer::causal>("causal", "true", "whether tokens see only those before them"),
    key::real<&Transformer::dropout>("dropout", 0, 1, "0",
                                     "share of elements that dropout drops in training"),
    key::map<expert_keys, &Transformer::moe>("mixture", "`mixture`", "none",
                                             "layers whose MLP is a choice of experts"),
    key::map<latent_keys, &Transformer::latent>(
        "latent-attention", "`latent-attention`", "none",
        "queries, keys and values from low-rank products (DeepSeek-V2)"),
    key::map<masked_keys, &Transformer::masked>("masked-head", "`masked-head`", "none",
                                                "a head that finds hidden tokens of a sequence; without it "
                                                "the head predicts the token behind each one"),
};

// Returns where a key stands, at any level; the place of the whole file if it is not there.
SourceLocation place_of(const InputNode& root, std::string_view key) {
  for (const std::string_view map : {"mixture", "latent-attention", "masked-head"})
    if (const InputNode* below = root.find(map))
      if (const InputNode* node = below->find(key)) return node->where;
  const InputNode* node = root.find(key);
  return node ? node->where : root.where;
}

}  // namespace

Transformer read_transformer_file(std::string_view text, const std::string& file) {
  const InputNode root = parse_yaml(text, file);
  Transformer model;
  model.kv_heads = model.head_width = model.ffn = 0;  // that is, as usual
  read_map(root, "a transformer", transformer_keys, model);
  complete_transformer(model, [&](std::string_view key) { return place_of(root, key); });
  return model;
}

std::vector<KeyPath> transformer_file_keys() {
  return key_paths("", transformer_keys);
}

}  // namespace orrery::core
