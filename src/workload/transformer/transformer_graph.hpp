// The parts of a transformer as sharded graphs: every tensor once, with named dimensions, and how it is
// placed. Megatron-LM's layouts: heads, the MLP's columns and the vocabulary are cut by tensor parallelism;
// what lies between is whole, or cut along the sequence.
#pragma once

#include "workload/parallelism/sharded_graph.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery {

ShardedGraph layer_graph(const Transformer& model, const TransformerPlan& plan, bool with_experts);
ShardedGraph embedding_graph(const Transformer& model, const TransformerPlan& plan);
ShardedGraph head_graph(const Transformer& model, const TransformerPlan& plan);

}  // namespace orrery
