// Lowers a sharded graph to the operators and collectives of one rank.
#pragma once

#include <optional>

#include "compute/layer_sparsity.hpp"
#include "workload/parallelism/block.hpp"
#include "workload/parallelism/sharded_graph.hpp"

namespace orrery::core {

struct LoweringChoices {
  Datatype type = Datatype::bf16;
  std::optional<Datatype> linear_type = {};  // number format of products with weights, if it differs
  // Formats in which weights of products, or keys and values, lie in memory, if they differ.
  std::optional<Datatype> weight_type = {}, cache_type = {};
  ModelSparsity sparsity = {};  // zeros of products with weights, by operator
  bool forward_only = false;    // no backward pass follows
  bool recompute_all = false;   // the forward pass is repeated before the backward pass
  // Operations of core attention are repeated before their gradients.
  bool recompute_core_attention = false;
  bool causal = false;        // masked halves of fused attention are skipped
  bool context_ring = false;  // keys and values go around in blocks
};

RankBlock lower_block(const ShardedGraph& graph, const LoweringChoices& choices);

}  // namespace orrery::core
