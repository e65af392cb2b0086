// Writes the end of a transformer as a sharded graph: the final norm, the head and the loss, or in inference
// the choice of the next token.
#pragma once

#include "workload/parallelism/sharded_graph.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

ShardedGraph head_graph(const Transformer& model, const TransformerPlan& plan);

}  // namespace orrery::core
