// Lists the weights of a sharded graph as one rank's memory holds them.
#pragma once

#include <vector>

#include "compute/layer_sparsity.hpp"
#include "workload/parallelism/block.hpp"
#include "workload/parallelism/sharded_graph.hpp"

namespace orrery::core {

// Returns the weights in the order of their tensors. Those of products have the zeros of their operator.
// Their gradients are left for the backward pass to fill in.
std::vector<Parameter> held_parameters(const ShardedGraph& graph, const ModelSparsity& sparsity);

}  // namespace orrery::core
