// Writes the parts of a transformer as sharded graphs, with every tensor once, its named dimensions, and how
// it is placed. The layouts are Megatron-LM's: heads, the MLP's columns and the vocabulary are cut by tensor
// parallelism, and what lies between them is whole, or cut along the sequence.
#pragma once

#include "workload/parallelism/sharded_graph.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

ShardedGraph block_graph(BlockKind kind, const Transformer& model, const TransformerPlan& plan);

}  // namespace orrery::core
