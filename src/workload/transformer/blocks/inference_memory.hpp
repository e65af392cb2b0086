// Counts the bytes that inference with a transformer keeps on one device: weights, keys and values of all
// tokens, and what the layer that computes has for a moment.
#pragma once

#include <cstdint>

#include "workload/transformer/blocks/transformer_memory.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

// Returns the bytes of keys and values that one layer keeps on a rank for one sequence. Heads that are fewer
// than the ranks of tensor parallelism are copied. An encoder keeps none.
double cache_bytes(const Transformer& model, const TransformerPlan& plan);

// Returns the memory of a stage for the sequences of one replica. `parts` must be model_parts() of the model
// and plan.
StageMemory inference_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                             const ModelParts& parts);

}  // namespace orrery::core
