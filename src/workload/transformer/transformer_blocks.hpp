// The work of one rank on a transformer's parts, for one micro-batch: operators and collectives, forward and
// backward.
//
// Every part is written down once, as a graph of tensors with named dimensions (transformer_graph.hpp); which
// collectives it takes follows from how they are sharded (workload/parallelism/sharding.hpp).
#pragma once

#include "workload/parallelism/block.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery {

// The plan must be one that errors_of_plan() has nothing against.
RankBlock rank_block(BlockKind kind, const Transformer& model, const TransformerPlan& plan);

// Bytes of what one stage sends the next per micro-batch, in either direction: T h / c elements, and 1/t of
// them under sequence parallelism.
double stage_boundary_bytes(const Transformer& model, const TransformerPlan& plan);

}  // namespace orrery
