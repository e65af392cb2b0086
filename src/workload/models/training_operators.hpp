// The operators of a neural network's layers in the three steps of training, as compute models take them.
//
// Forward (m, n, k) of a product gives its input gradient (m, k, n) and weight gradient (k, n, m); a
// convolution's gradients are the products of its im2col form, each with the forward pass's
// multiply-accumulates. A product without weights (attention, interaction) has two input gradients. Other
// layers pass over their data; passes of the backward step: docs/inputs/workloads.md, "Model files".
#pragma once

#include <vector>

#include "compute/datatype.hpp"
#include "compute/operator.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery {

std::vector<Operator> forward_operators(const NetworkLayer& layer, Datatype type);
// Both return an empty list when there is nothing to compute.
std::vector<Operator> input_gradient_operators(const NetworkLayer& layer, Datatype type);
std::vector<Operator> weight_gradient_operators(const NetworkLayer& layer, Datatype type);

}  // namespace orrery
