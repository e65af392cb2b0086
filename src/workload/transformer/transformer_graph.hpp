// The parts of a transformer as sharded graphs: every tensor once, with named dimensions, and how it is
// placed. Megatron-LM's layouts: heads, the MLP's columns and the vocabulary are cut by tensor parallelism;
// what lies between is whole, or cut along the sequence.
#pragma once

#include "workload/parallelism/sharded_graph.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery {

ShardedGraph block_graph(BlockKind kind, const Transformer& model, const TransformerPlan& plan);

}  // namespace orrery
