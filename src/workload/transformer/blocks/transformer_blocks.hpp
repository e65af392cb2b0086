// The work of one rank on a transformer's parts, for one micro-batch: operators and collectives, forward and
// backward.
//
// Every part is written once, as a graph of tensors with named dimensions (transformer_graph.hpp). The
// collectives that it takes follow from how the tensors are sharded (workload/parallelism/sharding.hpp).
#pragma once

#include <string>
#include <vector>

#include "workload/parallelism/block.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

// The plan must be one for which errors_of_plan() returns nothing.
RankBlock rank_block(BlockKind kind, const Transformer& model, const TransformerPlan& plan);

// Returns the names of the operators in the model's layers that multiply activations by weights.
std::vector<std::string> weighted_products(const Transformer& model, const TransformerPlan& plan);

// Returns the bytes that one stage sends the next per micro-batch, in either direction: T h / c elements, and
// 1/t of them under sequence parallelism.
double stage_boundary_bytes(const Transformer& model, const TransformerPlan& plan);

}  // namespace orrery::core
