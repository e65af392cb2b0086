// A neural network for one batch size, as a list of layers with their shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/operator.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// The shape of a tensor for one sample. A vector has a height and a width of 1.
struct TensorShape {
  std::uint64_t channels = 0, height = 1, width = 1;

  std::uint64_t elements() const { return channels * height * width; }
  bool operator==(const TensorShape&) const = default;
};

enum class LayerKind : std::uint8_t {
  convolution,
  fully_connected,
  gemm,         // a product given by its sizes
  operations,   // anything given by its number of operations
  embedding,    // table lookups
  interaction,  // dot products of all pairs of vectors
  batch_norm,
  relu,
  softmax,
  pooling,
  lrn,  // local response normalization
  dropout,
  concatenation,
  addition,
  shortcut,  // takes every n-th position, and adds channels of zeros
};

// The collective that follows one of the three training steps of a layer.
struct LayerExchange {
  std::optional<CollectiveKind> collective = {};
  std::uint64_t elements = 0;
};

struct NetworkLayer {
  std::string name;  // unique in the network
  LayerKind kind = LayerKind::operations;
  // Layers that are given by sizes instead (gemm, operations) have no elements here.
  TensorShape input, output;
  std::variant<Gemm, Convolution, Elementwise> work;  // work of the forward pass, for the whole batch
  double executed = 1;             // the share of the work that is done: 0.5 under a causal mask
  std::uint64_t weights = 0;       // those that the memory holds; 0: no weight gradient
  double index_bytes = 0;          // that say where these belong, if zeros are left out
  std::uint64_t biases = 0;        // for norms: scales and shifts
  bool has_input_gradient = true;  // false where only the network's input comes in
  bool in_branch = false;          // other branches run beside it, so not only its output goes on from here
  bool follows_previous = false;   // its input is the output of the layer before it in the list
  LayerExchange forward, input_gradient;
  std::optional<TrainingPolicy> policy = {};  // its own policy, under hybrid_customized
  SourceLocation where;

  std::uint64_t parameters() const { return weights + biases; }
  // Returns the multiply-accumulates of the forward pass for the whole batch. It is 0 for all layers but
  // products.
  double multiply_accumulates() const;
};

struct NeuralNetwork {
  std::string name, description;
  std::uint64_t batch = 1;  // number of samples
  TensorShape input;        // no elements: there is no input
  std::vector<NetworkLayer> layers;

  // The members below say how the network is trained as a layer table (workload/astra1/layer_table.hpp).
  TrainingPolicy policy = TrainingPolicy::data;
  int model_parallel_group = 1;
  std::string last_bottom_layer;           // empty: the first layer
  std::vector<std::string> checkpoints;    // layers where a recomputed block begins ...
  std::vector<std::string> recomputed_at;  // ... and where it ends, in the same order

  std::uint64_t parameters() const;
  double multiply_accumulates() const;  // for the forward pass, per sample
};

}  // namespace orrery::core
