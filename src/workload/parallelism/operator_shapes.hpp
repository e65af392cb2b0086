// The sizes of operators, from how the tensors of a sharded graph are placed.
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "compute/operator.hpp"
#include "workload/parallelism/sharded_graph.hpp"

namespace orrery {

// What neighbours of one group compute on one rank.
using OperatorWork = decltype(Operator::work);

// Rows M are dimensions of the first input, columns N those of the second, K those that are summed over, and
// the batch those that all have. Of several products of the same first input, side by side.
Gemm gemm_of(const ShardedGraph& graph, std::span<const TensorOperation> products);

// Of neighbours that make up one fused attention: the first multiplies queries and keys, the last scores and
// values.
Attention attention_of(const ShardedGraph& graph, std::span<const TensorOperation> operations, bool causal);

enum class ElementPass : std::uint8_t { forward, input_gradient, weight_gradient };
// Of elementwise neighbours; nothing when they cost nothing.
std::optional<Elementwise> elementwise_of(const ShardedGraph& graph,
                                          std::span<const TensorOperation> operations, ElementPass pass);

bool is_matrix_product(const TensorOperation& operation);
bool is_copy(const TensorOperation& operation);  // rename or reshard

}  // namespace orrery
