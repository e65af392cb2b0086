// Zeros in the weights and activations of a model's layers, and of the products of their training.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "compute/sparsity.hpp"

namespace orrery::core {

// Says what a device's memory holds of weights of which some are zero.
enum class WeightStorage : std::uint8_t {
  dense,       // all weights, and zeros among them
  compressed,  // the weights that are kept, and bits that say where they belong
};
inline constexpr std::array<EnumName<WeightStorage>, 2> weight_storage_words{{
    {"dense", WeightStorage::dense},
    {"compressed", WeightStorage::compressed},
}};

// The zeros of a layer with weights, in the three products of its training.
struct LayerSparsity {
  OperandSparsity weights, activations;
  // The patterns hold along both dimensions of a matrix, so that its transpose has them, too (Hubara et al.,
  // "Accelerated sparse neural training", 2021). Otherwise products with the transpose are dense.
  bool transposable = false;
  WeightStorage stored = WeightStorage::dense;

  bool operator==(const LayerSparsity&) const = default;
  ProductSparsity forward() const { return {activations, weights}; }
  // Multiplies the gradients of outputs by the transposed weights.
  ProductSparsity input_gradient() const { return {{}, transposed(weights)}; }
  // Multiplies the transposed activations by the gradients of outputs.
  ProductSparsity weight_gradient() const { return {transposed(activations), {}}; }
  // Returns how many of a matrix of weights the memory holds.
  std::uint64_t stored_weights(std::uint64_t elements) const;
  // Returns the bytes that say where the weights which are held belong.
  double index_bytes(std::uint64_t elements) const;

 private:
  OperandSparsity transposed(const OperandSparsity& operand) const {
    return operand.pattern.is_dense() || transposable ? operand : OperandSparsity();
  }
};

// The zeros of a model's layers.
struct ModelSparsity {
  // A layer with zeros of its own.
  struct Own {
    std::string layer;
    LayerSparsity sparsity;
    SourceLocation where;

    bool operator==(const Own& other) const { return layer == other.layer && sparsity == other.sparsity; }
  };

  LayerSparsity usual;
  std::vector<Own> own = {};

  bool operator==(const ModelSparsity&) const = default;
  const LayerSparsity& of(std::string_view layer) const;
  // Throws InputError where a layer that is named is none of these.
  void require_layers(std::span<const std::string_view> known) const;
};

}  // namespace orrery::core
