// Bytes that training a transformer keeps on one device.
//
// Activations after Korthikanti et al., "Reducing activation recomputation in large transformer models",
// 2022, section 4, extended to grouped queries, gated MLPs, experts, flash attention and context parallelism:
// what the backward pass reads, in the plan's datatype, masks of dropout in bytes. With the choices of GPT
// and two bytes per element a layer has s b h (34 + 5 a s / h) bytes. Not in it: what is alive only for a
// moment (gradients of activations, gathered sequences, workspaces).
#pragma once

#include <cstdint>

#include "memory/parameter_state.hpp"
#include "workload/transformer/transformer_plan.hpp"

namespace orrery {

// Of one layer and micro-batch, as the plan recomputes: full recomputation keeps the layer's input only.
double layer_activation_bytes(const Transformer& model, const TransformerPlan& plan,
                              bool with_experts = false);
// What is there of one layer when its backward pass begins, whatever is recomputed: all that it reads.
double layer_working_bytes(const Transformer& model, const TransformerPlan& plan, bool with_experts = false);
// Of the dropout behind the embedding.
double embedding_activation_bytes(const Transformer& model, const TransformerPlan& plan);
// Inputs of the final norm and of the head, and logits in fp32.
double head_activation_bytes(const Transformer& model, const TransformerPlan& plan);

enum class PipelineOrder : std::uint8_t { gpipe, one_forward_one_backward, interleaved };

// How many micro-batches' activations a stage (from 0) holds at most, as a multiple of the stage's layers:
// GPipe m; 1F1B min(m, p - stage); interleaved, whose chunks hold a v-th of the layers, p (1 + (p - 1) / (p
// v)) on the first stage, 2 / v less with each further one, at most m.
double micro_batches_in_flight(PipelineOrder order, std::uint64_t stages, std::uint64_t stage,
                               std::uint64_t chunks, std::uint64_t micro_batches);

// Parameters that one rank of a stage holds, before sharding by ZeRO. Dense ones and those of experts have
// their optimizer's state shared out over different groups.
struct RankParameters {
  std::uint64_t dense = 0, experts = 0;
  // What ZeRO-3 gathers from other ranks for two parts of the stage that follow one another, at most: the one
  // at work and the one fetched ahead. A part is a layer, the embedding or the head. Experts that no other
  // rank has are not gathered.
  std::uint64_t gathered = 0;

  std::uint64_t total() const { return dense + experts; }
};

// Of a layer, the embedding or the head.
struct PartParameters {
  std::uint64_t dense = 0, experts = 0;
};

// Of all parts that a model has. They are the same for all plans that have the same tensor, expert and
// context parallelism.
struct ModelParts {
  PartParameters embedding, layer, layer_with_experts, head;

  const PartParameters& layer_kind(bool with_experts) const {
    return with_experts ? layer_with_experts : layer;
  }
};
ModelParts model_parts(const Transformer& model, const TransformerPlan& plan);

// Layers are counted from 0; the first stage holds embedding and positions, the last final norm and head (a
// copy of the embedding when tied and there is more than one stage).
RankParameters rank_parameters(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                               const ModelParts& parts);

// Weights, gradients and optimizer state of a rank under the plan's ZeRO stage. Under stage 3 the gathered
// weights are in it; own and gathered ones together are never more than all weights of the stage.
ParameterState rank_state(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                          Optimizer optimizer, Precision precision, const ModelParts& parts);

struct StageMemory {
  ParameterState state;
  double activations = 0;  // of layers
  double embedding = 0, head = 0;
  double working = 0;  // what the layer at work computes again: all of it, or the scores

  double total() const { return state.total() + activations + embedding + head + working; }
};

StageMemory stage_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                         PipelineOrder order, Optimizer optimizer, Precision precision,
                         const ModelParts& parts);
// The same where nobody knows the parts yet.
StageMemory stage_memory(const Transformer& model, const TransformerPlan& plan, std::uint64_t stage,
                         PipelineOrder order, Optimizer optimizer, Precision precision);

}  // namespace orrery
