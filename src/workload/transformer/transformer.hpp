// A transformer language model by its sizes, and how many parameters it has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

enum class NormKind : std::uint8_t { layer, rms };
// Says where in a layer the norms are: before attention and MLP, or behind the sums with what they began with
// (Vaswani et al., 2017; BERT).
enum class NormPlace : std::uint8_t { before, behind };
enum class Activation : std::uint8_t { relu, squared_relu, gelu, silu };

inline constexpr std::array<EnumName<NormKind>, 2> norm_words{{
    {"layer", NormKind::layer},
    {"rms", NormKind::rms},
}};
inline constexpr std::array<EnumName<NormPlace>, 2> norm_place_words{{
    {"before", NormPlace::before},
    {"behind", NormPlace::behind},
}};
inline constexpr std::array<EnumName<Activation>, 4> activation_words{{
    {"relu", Activation::relu},
    {"squared-relu", Activation::squared_relu},
    {"gelu", Activation::gelu},
    {"silu", Activation::silu},
}};

// Says to which products and norms bias vectors are added.
struct Biases {
  bool qkv = false, attention_output = false, mlp = false, norm = false, router = false, head = false;

  bool operator==(const Biases&) const = default;
};

// Layers whose MLP is a choice of experts (Shazeer et al. 2017; Lepikhin et al., "GShard", 2020).
struct MixtureOfExperts {
  std::uint64_t experts = 1, experts_per_token = 1;
  std::uint64_t ffn = 1;             // width of one expert
  std::uint64_t shared_experts = 0;  // experts that every token passes: one MLP, as wide as all of them
  std::uint64_t dense_layers = 0;    // number of layers at the beginning that have a plain MLP
  std::uint64_t every = 1;           // of the layers after these, the last of each `every` has experts
  double capacity_factor = 1;        // rows that an expert computes, as a multiple of its even share
  bool balance_bias = false;         // a number per expert that only steers the choice (DeepSeek-V3)

  bool operator==(const MixtureOfExperts&) const = default;
};

// Queries, keys and values from low-rank products (DeepSeek-AI, "DeepSeek-V2", 2024).
struct LatentAttention {
  std::uint64_t query_rank = 1, kv_rank = 1;
  // Width of the turned part of a head's queries, and of the one key that all heads share.
  std::uint64_t rotary_width = 0;
  std::uint64_t value_width = 1;  // width of a head's values

  bool operator==(const LatentAttention&) const = default;
};

// A head that finds words that were hidden, as encoders are trained (Devlin et al., "BERT", 2018). It sees
// only these positions.
struct MaskedHead {
  double share = 0.15;        // of a sequence's tokens, rounded up
  bool transform = false;     // a product, an activation and a norm precede the head
  std::uint64_t classes = 0;  // of a whole sequence, told from its first token behind a product; 0: none

  bool operator==(const MaskedHead&) const = default;
};

struct Transformer {
  std::string name, source;
  std::uint64_t layers = 1, hidden = 1, heads = 1, kv_heads = 1;
  std::uint64_t head_width = 1;  // width of queries and keys; with latent attention, rotary part included
  std::uint64_t ffn = 1;
  bool gated = false;  // the MLP multiplies two products: SwiGLU and the like
  std::uint64_t vocabulary = 1, sequence = 1;
  // Set when it is not `hidden`; then products lead from the embedding and to it (OPT-350M).
  std::uint64_t embedding_width = 0;
  bool tied_embeddings = false;   // the head uses the embedding's weights
  std::uint64_t positions = 0;    // learned vectors; 0: none
  std::uint64_t token_types = 0;  // learned vectors of the parts that a sequence consists of; 0: none
  bool rotary = false;            // queries and keys are turned by their positions
  NormKind norm = NormKind::layer;
  NormPlace norm_place = NormPlace::before;
  std::uint64_t norms_per_layer = 2;  // 4: behind the attention and the MLP, too
  bool final_norm = true, embedding_norm = false;
  bool query_key_norm = false;   // every head's queries and keys pass a norm
  bool attention_sinks = false;  // a number per head takes part in the softmax
  Activation activation = Activation::gelu;
  Biases biases;
  double dropout = 0;
  bool causal = true;
  std::optional<MixtureOfExperts> moe;
  std::optional<LatentAttention> latent;
  std::optional<MaskedHead> masked;  // none: the head predicts the token behind each one

  bool operator==(const Transformer&) const = default;

  std::uint64_t query_width() const { return heads * head_width; }  // width of all heads
  std::uint64_t kv_width() const { return kv_heads * head_width; }
  std::uint64_t value_width() const { return latent ? latent->value_width : head_width; }  // width of a head
  bool has_experts(std::uint64_t layer) const;                                             // from 0
  std::uint64_t layers_with_experts() const;
};

// Numbers of parameters by part.
struct LayerParameters {
  std::uint64_t attention = 0;  // products, with their biases, norms of heads and low-rank parts
  std::uint64_t mlp = 0;        // dense MLP, or the shared experts
  std::uint64_t norms = 0;
  std::uint64_t router = 0;
  std::uint64_t experts = 0;  // all experts that a token chooses from

  std::uint64_t total() const { return attention + mlp + norms + router + experts; }
};

struct TransformerParameters {
  std::uint64_t layers = 0;     // parameters of all layers
  std::uint64_t embedding = 0;  // with the norm and the products behind it
  std::uint64_t positions = 0;  // with those of token types
  std::uint64_t head = 0;       // of a tied one all but the embedding's weights
  std::uint64_t final_norm = 0;
  std::uint64_t active = 0;  // part of the total that one token passes: only its experts count

  std::uint64_t total() const { return layers + embedding + positions + head + final_norm; }
};

// Returns the elements of all matrices of a layer's attention, which every token is multiplied with.
std::uint64_t attention_weights(const Transformer& model);
LayerParameters layer_parameters(const Transformer& model, bool with_experts);
TransformerParameters transformer_parameters(const Transformer& model);

}  // namespace orrery::core
