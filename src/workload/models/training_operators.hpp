// Makes the operators of a neural network's layers in the three steps of training, as compute models take
// them.
//
// A forward product (m, n, k) gives the input gradient (m, k, n) and the weight gradient (k, n, m). A
// convolution's gradients are the products of its im2col form, each with the forward pass's
// multiply-accumulates. A product without weights (attention, interaction) has two input gradients. Other
// layers pass over their data; docs/inputs/workloads.md, "Model files", gives their passes in the backward
// step.
#pragma once

#include <vector>

#include "compute/datatype.hpp"
#include "compute/layer_sparsity.hpp"
#include "compute/operator.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

// Returns whether the layer is a product of activations and weights. Only these have zeros.
bool is_weighted_product(const NetworkLayer& layer);

std::vector<Operator> forward_operators(const NetworkLayer& layer, Datatype type,
                                        const LayerSparsity& sparsity = {});
// Both functions return an empty list when there is nothing to compute.
std::vector<Operator> input_gradient_operators(const NetworkLayer& layer, Datatype type,
                                               const LayerSparsity& sparsity = {});
std::vector<Operator> weight_gradient_operators(const NetworkLayer& layer, Datatype type,
                                                const LayerSparsity& sparsity = {});

}  // namespace orrery::core
