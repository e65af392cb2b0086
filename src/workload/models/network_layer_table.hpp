// Makes a layer table from a neural network, for a device that computes products at a given rate.
//
//   time  = round(2 * multiply-accumulates / peak), in whole nanoseconds, the same for all three steps;
//           layers given by their operations: round(operations / peak)
//   bytes = parameters * bytes per element, all-reduced after the weight gradient; tables of embeddings are
//           not, as they are spread over the ranks, nor are parameters under the policy `model`, where every
//           rank has its own; other collectives as the network says
//
// A row is a product or lookup together with what follows it (norms, activation functions, pooling). The
// parameters of what follows count, but not its time. This is valid where the peak is a rate that the layers
// reach.
//
// On a device, the times are those of its compute model: one for each step, of everything that a row holds.
// Bytes are those of the datatype.
#pragma once

#include <array>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/compute_model.hpp"
#include "compute/layer_sparsity.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

struct LayerTableOptions {
  double flops_per_second = 0;  // required without a device
  int bytes_per_element = 2;
  const ComputeModel* device = nullptr;
  Datatype type = Datatype::fp16;  // number format on a device
  // On a device: number format of products with weights, if it is another one.
  std::optional<Datatype> linear_type = {};
  ModelSparsity sparsity = {};  // on a device: zeros of these products, by layer
  SourceLocation where = {};    // place of the description, for errors and the table
  // Inference: nothing follows the forward pass, batch norms are a part of the weights before them, and ReLU
  // is a part of the pass that writes what it takes.
  bool forward_only = false;
};

// What a row of the table computes on a device in the three steps, in order.
struct RowOperators {
  std::array<std::vector<Operator>, passes_of_a_layer> of_pass;  // by Pass
};
std::vector<RowOperators> row_operators(const NeuralNetwork& network, const LayerTableOptions& options);

// Throws InputError.
LayerTable layer_table_of(const NeuralNetwork& network, const LayerTableOptions& options);

}  // namespace orrery::core
