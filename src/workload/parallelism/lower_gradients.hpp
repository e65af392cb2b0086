// Lowers a sharded graph to the backward pass of one rank.
#pragma once

#include "workload/parallelism/block.hpp"
#include "workload/parallelism/lower_block.hpp"

namespace orrery {

// Fills in `backward`, `input_gradient` and `parameters`.
void lower_gradients(const ShardedGraph& graph, const LoweringChoices& choices, RankBlock& block);

}  // namespace orrery
