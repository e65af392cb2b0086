// Finds the sizes of operators from how the tensors of a sharded graph are placed.
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "compute/operator.hpp"
#include "workload/parallelism/sharded_graph.hpp"

namespace orrery::core {

// The work that neighbouring operations of one group do on one rank.
using OperatorWork = decltype(Operator::work);

// Returns the size of the matrix product. Rows M are dimensions of the first input, columns N those of the
// second, K those that are summed over, and the batch those that all inputs have. Several products must have
// the same first input; they are then computed side by side.
Gemm gemm_of(const ShardedGraph& graph, std::span<const TensorOperation> products);

// Returns the attention that neighbouring operations make up as one fused operator. The first of them
// multiplies queries and keys, and the last one scores and values.
Attention attention_of(const ShardedGraph& graph, std::span<const TensorOperation> operations, bool causal);

enum class ElementPass : std::uint8_t { forward, input_gradient, weight_gradient };
// Returns the operator for neighbouring elementwise operations, or nothing when they cost nothing.
std::optional<Elementwise> elementwise_of(const ShardedGraph& graph,
                                          std::span<const TensorOperation> operations, ElementPass pass);

bool is_matrix_product(const TensorOperation& operation);
bool is_copy(const TensorOperation& operation);  // rename or reshard

}  // namespace orrery::core
