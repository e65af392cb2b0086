// The times that the blocks of a transformer take on one rank for one micro-batch.
//
// A search asks for the blocks of thousands of layouts, but most of what layouts differ in - the stages of
// the pipeline, ZeRO, virtual stages - changes no block. So each distinct block is lowered and timed once.
#pragma once

#include <array>

#include "base/containers/memo.hpp"
#include "workload/training/block_time.hpp"
#include "workload/training/training_setup.hpp"
#include "workload/transformer/blocks/transformer_memory.hpp"

namespace orrery::core {

struct BlockCost {
  BlockTime forward, backward;
};

// Returns what a rank does for a block and one micro-batch.
RankBlock block_of(BlockKind kind, const TrainingSetup& setup);

// Returns the choices of a plan on which its blocks depend, with the others set to one value. The number of
// ranks with other samples matters to what a rank computes for a micro-batch only by whether there are any.
TransformerPlan plan_of_blocks(const TransformerPlan& plan);

// Returns the same as plan_of_blocks(), but keeps only the choices on which the sizes of weights depend.
TransformerPlan plan_of_weights(const TransformerPlan& plan);

// Setups of all calls may differ in plan and schedule, but in nothing else. Several threads may use an object
// at the same time.
class BlockCosts {
 public:
  const BlockCost& of(BlockKind kind, const TrainingSetup& setup);
  const ModelParts& parts(const TrainingSetup& setup);

 private:
  struct Key {
    BlockKind kind;
    TransformerPlan plan;  // plan_of_blocks()
    // The placement of the axes along which it exchanges, and how far neighbours are apart, where that
    // counts.
    std::array<GroupPlacement, axis_count> placement;
    std::array<std::uint64_t, axis_count> strides;

    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const TransformerPlan& plan) const;
    std::size_t operator()(const Key& key) const;
  };
  static Key key_of(BlockKind kind, const TrainingSetup& setup);

  Memo<Key, BlockCost, Hash> costs_;
  Memo<TransformerPlan, ModelParts, Hash> parts_;
};

// Returns what collectives within layers take: as the library says, unless the setup does. Where they are
// messages of unknown times, it is nothing. The result refers to the setup.
ExchangeTime exchange_time_of(const TrainingSetup& setup);

// Returns what computes the operators of a rank, with the factors by which the software slows them down. The
// result refers to the setup.
RankDevice device_of(const TrainingSetup& setup);

}  // namespace orrery::core
