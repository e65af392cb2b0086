// The way in which ranks share the training of a transformer, and the choices with which they compute.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "compute/datatype.hpp"
#include "compute/layer_sparsity.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// The way in which ranks that hold parts of the sequence get each other's keys and values.
enum class ContextExchange : std::uint8_t {
  // Blocks go around while attention works on those that are there; they are sent again in the backward pass.
  ring,
  all_gather,  // keys and values are gathered before, and kept
  all_to_all,  // ranks exchange heads for sequence, and back (Jacobs et al., "DeepSpeed Ulysses", 2023)
};
enum class AttentionKind : std::uint8_t {
  naive,  // scores go through main memory
  flash,  // scores stay on chip (Dao et al., 2022); masked blocks are skipped
};
enum class Recompute : std::uint8_t {
  none,
  // Repeats scores, softmax, dropout and their product with the values; nothing with flash attention.
  selective,
  full,  // repeats the forward pass of the layer
};

inline constexpr std::array<EnumName<ContextExchange>, 3> context_exchange_words{{
    {"ring", ContextExchange::ring},
    {"all-gather", ContextExchange::all_gather},
    {"all-to-all", ContextExchange::all_to_all},
}};
inline constexpr std::array<EnumName<AttentionKind>, 2> attention_words{{
    {"naive", AttentionKind::naive},
    {"flash", AttentionKind::flash},
}};
inline constexpr std::array<EnumName<Recompute>, 3> recompute_words{{
    {"none", Recompute::none},
    {"selective", Recompute::selective},
    {"full", Recompute::full},
}};

// The parts of a transformer: the embedding with what follows it, layers, and the final norm, head and loss.
enum class BlockKind : std::uint8_t { embedding, layer, layer_with_experts, head };
inline constexpr std::size_t block_kinds = 4;

// The numbers of ranks: tensor * context * pipeline * data. `expert` is a part of `data`: ranks with
// different samples that share the experts out among them.
struct TransformerPlan {
  std::uint64_t tensor = 1, context = 1, expert = 1, pipeline = 1, data = 1;
  bool sequence_parallel = false;  // tensors that tensor parallelism leaves whole are cut along the sequence
  bool expert_tensor = true;       // experts are cut by tensor parallelism, too
  ContextExchange context_exchange = ContextExchange::ring;
  std::uint64_t chunks = 1;  // chunks of layers per stage (interleaved schedule)
  // Layers of each chunk of the model. Chunk c is on stage c % pipeline. If it is empty, all chunks have
  // equally many.
  std::vector<std::uint64_t> layers_per_chunk = {};
  int zero = 0;  // stage, 0 to 3
  // The number of ranks among which ZeRO divides what it divides. Other such groups hold copies (HSDP). 0
  // stands for all ranks that have the same parameters.
  std::uint64_t shard = 0;
  std::uint64_t micro_batch = 1, global_batch = 1;  // numbers of sequences
  Datatype type = Datatype::bf16;                   // of tensors and of computations with them
  // Number format of the layers' products with weights, if it differs.
  std::optional<Datatype> linear_type = {};
  ModelSparsity sparsity = {};  // zeros of these products, by operator
  AttentionKind attention = AttentionKind::naive;
  Recompute recompute = Recompute::none;
  // Inference: nothing is dropped, there is no loss, and no backward pass follows. The weights of the layers'
  // products, and keys and values, may lie in memory in formats of their own.
  bool forward_only = false;
  std::optional<Datatype> weight_type = {}, cache_type = {};
  std::uint64_t seen = 0;       // tokens that each token's attention sees, if not those of its sequence
  std::uint64_t predicted = 0;  // tokens of a sequence that the head works on; 0: as the model has it

  bool operator==(const TransformerPlan&) const = default;

  std::uint64_t ranks() const { return tensor * context * pipeline * data; }
  // The number of ranks with the same parameters, of experts and of others, and how many of these ranks share
  // the parameters out under ZeRO.
  std::uint64_t copies(bool of_experts) const { return context * data / (of_experts ? expert : 1); }
  std::uint64_t shards(bool of_experts) const { return shard > 0 ? shard : copies(of_experts); }
  bool has_replicas() const { return copies(false) > 1; }
  // Returns whether something is computed again: flash attention keeps no scores that could be.
  bool repeats_operations() const {
    return recompute == Recompute::full ||
           (recompute == Recompute::selective && attention != AttentionKind::flash);
  }
  // Returns whether keys and values of earlier tokens are there already, so that none that is seen is masked.
  bool decodes() const { return forward_only && seen > 0; }
  // Returns the number of micro-batches per rank and step.
  std::uint64_t micro_batches() const { return global_batch / (micro_batch * data); }
  std::vector<std::uint64_t> layers_of_chunks(const Transformer& model) const;
};

// Returns the blocks of each chunk of a stage (from 0), in the order of a forward pass.
std::vector<std::vector<BlockKind>> blocks_of_stage(const Transformer& model, const TransformerPlan& plan,
                                                    std::uint64_t stage);

// Returns how many tokens of a sequence the head works on.
std::uint64_t predicted_tokens(const Transformer& model, const TransformerPlan& plan);

// Returns the vocabulary with the words that are added so that every rank gets as much: a multiple of 128 *
// tensor, as in Megatron-LM.
std::uint64_t padded_vocabulary(const Transformer& model, const TransformerPlan& plan);

// Returns where the user set a key, by its name in experiment files: "tensor", "sequence", "micro".
using PlanPlaces = std::function<SourceLocation(std::string_view key)>;

// Returns everything that does not fit, each with the legal values nearby. It is empty when the plan can be
// run.
std::vector<InputError> errors_of_plan(const Transformer& model, const TransformerPlan& plan,
                                       const PlanPlaces& where);

}  // namespace orrery::core
