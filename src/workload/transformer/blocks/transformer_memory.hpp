// Counts the bytes that training a transformer keeps on one device.
//
// Activations follow Korthikanti et al., "Reducing activation recomputation in large transformer models",
// 2022, section 4, extended to grouped queries, gated MLPs, experts, flash attention and context parallelism.
// They are what the backward pass reads, in the plan's datatype, with masks of dropout in bytes. With the
// choices of GPT and two bytes per element a layer has s b h (34 + 5 a s / h) bytes. They do not include what
// is alive only for a moment (gradients of activations, gathered sequences, workspaces).
#pragma once

#include <array>
#include <cstdint>

#include "memory/parameter_state.hpp"
#include "workload/pipeline/pipeline_schedule.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

// Returns the bytes of activations that one layer keeps of one micro-batch under the plan's recomputation.
// Full recomputation keeps only the layer's input.
double layer_activation_bytes(const Transformer& model, const TransformerPlan& plan,
                              bool with_experts = false);
// Returns the bytes of one layer's activations that exist when its backward pass begins. These are all
// activations that the pass reads, whatever is recomputed.
double layer_working_bytes(const Transformer& model, const TransformerPlan& plan, bool with_experts = false);
// Returns the bytes kept for the dropout behind the embedding.
double embedding_activation_bytes(const Transformer& model, const TransformerPlan& plan);
// Returns the bytes of the inputs of the final norm and of the head, and of the logits in fp32.
double head_activation_bytes(const Transformer& model, const TransformerPlan& plan);

// Numbers of parameters that one rank holds, before sharding by ZeRO. Where ranks share out experts, the
// optimizer's state of dense parameters and that of experts are shared out over different groups.
struct BlockParameters {
  std::uint64_t dense = 0, experts = 0;
  double index_bytes = 0;  // that say where weights which are stored compressed belong

  std::uint64_t total() const { return dense + experts; }
  BlockParameters& operator+=(const BlockParameters& other) {
    dense += other.dense;
    experts += other.experts;
    index_bytes += other.index_bytes;
    return *this;
  }
};

// The parameters by BlockKind; zero for kinds that the model lacks. They are the same for all plans with the
// same tensor, expert and context parallelism.
using ModelParts = std::array<BlockParameters, block_kinds>;
ModelParts model_parts(const Transformer& model, const TransformerPlan& plan);

struct RankParameters {
  BlockParameters held;
  // The most parameters that ZeRO-3 gathers from other ranks for two consecutive blocks of the stage: the one
  // that is computed and the one fetched ahead. Experts that no other rank has are not gathered.
  std::uint64_t gathered = 0;
};

// Returns the parameters that a rank of a stage holds. A tied head is a copy of the embedding where there is
// more than one stage.
RankParameters rank_parameters(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                               const ModelParts& parts);

// Returns the bytes of a rank's weights, gradients and optimizer state under the plan's ZeRO stage. Under
// stage 3 the gathered weights are included; own and gathered ones together never exceed all weights of the
// stage. Every rank keeps where the weights of its stage belong, as this does not change from step to step.
ParameterState rank_state(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                          Optimizer optimizer, Precision precision, const ModelParts& parts);

struct StageMemory {
  ParameterState state;
  double cache = 0;        // bytes of keys and values that inference keeps
  double activations = 0;  // bytes that the stage's layers keep
  double embedding = 0, head = 0;
  double working = 0;  // bytes that the layer which is computed recomputes: everything, or the scores

  double total() const { return state.total() + cache + activations + embedding + head + working; }
};

StageMemory stage_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                         PipelineSchedule schedule, Optimizer optimizer, Precision precision,
                         const ModelParts& parts);

}  // namespace orrery::core
