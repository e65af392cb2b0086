// One step of a network's computation, as every compute model takes it. It says shapes, not times.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compute/datatype.hpp"
#include "compute/sparsity.hpp"

namespace orrery::core {

// This is `batch` products, each of an M x K matrix with a K x N one. M counts rows of activations, N output
// features, K input features.
struct Gemm {
  std::uint64_t m = 1, n = 1, k = 1;
  std::uint64_t batch = 1;

  bool operator==(const Gemm&) const = default;
};

// A convolution of `batch` images. `channels` come in and `filters` go out, both counted over all groups.
struct Convolution {
  std::uint64_t height = 1, width = 1, channels = 1;  // of the input
  std::uint64_t filters = 1, filter_height = 1, filter_width = 1;
  std::uint64_t stride_height = 1, stride_width = 1;
  std::uint64_t pad_height = 0, pad_width = 0;  // on each side
  std::uint64_t groups = 1;
  std::uint64_t batch = 1;

  bool operator==(const Convolution&) const = default;
};

// Returns the product to which a convolution amounts for each of its groups (im2col): rows are the places of
// the output, columns the filters. The number of groups divides channels and filters.
Gemm product_of(const Convolution& convolution);

// Kinds of operators without products, which software carries out by one kernel or by several.
enum class PointwiseKind : std::uint8_t { other, norm, activation, gated_activation, softmax, loss, rotary };
inline constexpr std::array<EnumName<PointwiseKind>, 7> pointwise_words{{
    {"other", PointwiseKind::other},
    {"norm", PointwiseKind::norm},
    {"activation", PointwiseKind::activation},
    {"gated-activation", PointwiseKind::gated_activation},
    {"softmax", PointwiseKind::softmax},
    {"loss", PointwiseKind::loss},
    {"rotary", PointwiseKind::rotary},
}};
inline constexpr std::size_t pointwise_kinds = pointwise_words.size();

// Everything that passes over its data once: activation functions, norms, softmax, pooling, embedding
// lookups, optimizer steps.
struct Elementwise {
  double flops = 0;
  std::uint64_t elements_read = 0, elements_written = 0;
  PointwiseKind kind = PointwiseKind::other;
  bool backward = false;

  bool operator==(const Elementwise&) const = default;
};

// Fused attention of `heads` heads (of all samples): softmax(Q K^T) V, whose scores stay on chip. The
// backward pass computes the scores again. Source: Dao et al., "FlashAttention", 2022.
struct Attention {
  std::uint64_t queries = 1, keys = 1;       // of a sample
  std::uint64_t heads = 1, kv_heads = 1;     // several heads may share one head of keys and values
  std::uint64_t width = 1, value_width = 1;  // of a head
  bool causal = false;                       // the masked half of the scores is skipped
  bool backward = false;

  bool operator==(const Attention&) const = default;
};

// Returns two products for the forward pass, five for the backward pass. They include the masked half.
std::vector<Gemm> products_of(const Attention& attention);
double flops_of(const Attention& attention);
// Returns the number of elements of queries, keys, values and results, and in the backward pass also those of
// their gradients.
double elements_read(const Attention& attention);
double elements_written(const Attention& attention);
// Returns the number of elements of keys and values alone.
double key_value_elements(const Attention& attention);

struct Operator {
  std::string name;
  std::variant<Gemm, Convolution, Elementwise, Attention> work;
  Datatype type = Datatype::fp16;
  ProductSparsity sparsity = {};  // of a product, or of the product that a convolution is
  // Number format in which a product's weights, or the keys and values of attention, lie in memory, if it is
  // not that in which they are multiplied.
  std::optional<Datatype> stored = {};
};

}  // namespace orrery::core
