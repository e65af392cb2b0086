// Computes the time that the stages of a pipeline take for one micro-batch of a transformer, and what they
// exchange in addition.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "workload/parallelism/gradient_exchange.hpp"
#include "workload/training/stages/block_costs.hpp"
#include "workload/training/training_communicators.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Layers compute one after the other, while the weights of the next one are gathered and the gradients of the
// last one are reduced.
struct OverlappedLayer {
  Seconds total;  // time of the layer by itself
  Contention contention;
  Time gather, reduction;  // times of its weights' gather and its gradients' reduction by themselves
};
struct OverlapCosts {
  // By how much each layer takes longer because of exchanges beside it, and how long it waits for its weights
  // before.
  std::vector<Time> longer, waits;
  Time wait_at_end;  // how long the last exchanges take after the last layer
};
OverlapCosts costs_of_overlap(const std::vector<OverlappedLayer>& layers);

// A part of a chunk's backward pass that is not cut further, such as a layer: gradients are there at its end.
struct BackwardPiece {
  BlockTime time;
  BlockParameters parameters;  // parameters whose gradients it makes
};

// Consecutive layers, with the embedding in front of the first and the head behind the last.
struct ChunkCost {
  BlockTime forward;
  std::vector<BackwardPiece> backward;  // in order

  BlockTime all_of_backward() const;
};

// Collectives of gradients or weights that follow one another.
struct ParameterExchange {
  std::vector<CollectiveRequest> requests;
  std::vector<Time> times;  // that a library takes for each alone; zero without one

  Time alone() const;  // the time of all of them
};

struct StageCost {
  std::vector<ChunkCost> chunks;  // by virtual stage
  BlockParameters parameters;
  double updated = 0;         // parameters that one rank updates
  Seconds optimizer;          // time of the update
  Seconds shared_embedding;   // time in which a library adds up the embedding's gradients, if stages share it
  Bytes embedding_gradients;  // bytes of one rank, where two stages share it
  ParameterExchange gather;   // gathers the updated weights (ZeRO 1 and 2)
};

class StageCosts {
 public:
  // The plan must be one for which errors_of_plan() returns nothing. `blocks` remembers what other calls can
  // use.
  StageCosts(const TrainingSetup& setup, BlockCosts& blocks);
  explicit StageCosts(const TrainingSetup& setup);

  const StageCost& of(std::size_t stage) const { return costs_[kinds_[stage]]; }
  const ModelParts& parts() const { return parts_; }
  const TrainingCommunicators& communicators() const { return communicators_; }
  // Returns the reduction of gradients that are exchanged in one go.
  ParameterExchange reduction(const BlockParameters& parameters) const;
  // Returns the gather of weights that come in parts (ZeRO 3).
  ParameterExchange weights(const BlockParameters& parameters) const;
  // Returns the bytes of a message between the ranks of consecutive stages.
  Bytes message() const;
  // Returns how long such a message takes. There has to be a library, or something that knows transfers.
  Time message_time(std::size_t from, std::size_t to) const;

 private:
  struct Layer;
  // The blocks that make up a stage. Stages with equal parts cost the same.
  struct StageParts {
    std::vector<std::vector<BlockKind>> chunks;
    bool shares_embedding = false;  // another stage has a copy of the embedding

    bool operator==(const StageParts&) const = default;
  };
  StageParts parts_of(std::size_t stage) const;
  StageCost cost_of(const StageParts& parts);
  const Layer& layer_of(BlockKind kind);
  // Returns by how much the numbers of ranks at the same place in two stages differ.
  std::uint64_t distance(std::size_t from, std::size_t to) const;
  void add_chunk(const std::vector<BlockKind>& blocks, StageCost& cost);
  void finish(const StageParts& parts, StageCost& cost) const;
  // Returns an exchange of gradients or weights among the ranks that have the same parameters.
  ParameterExchange exchange(ExchangeMoment moment, const BlockParameters& parameters) const;

  const TrainingSetup& setup_;
  BlockCosts* blocks_;  // used only during construction
  ModelParts parts_;
  RankMesh mesh_;
  TrainingCommunicators communicators_;
  std::vector<GroupPlacement> placements_;  // by communicator
  std::array<std::shared_ptr<const Layer>, block_kinds> layers_;
  std::vector<StageCost> costs_;
  std::vector<std::size_t> kinds_;  // by stage: index into costs_
};

// Returns the update of `parameters` by Adam and the like, which passes over gradients, weights and the
// optimizer's state (docs/models/training-loops.md, Update of parameters).
Operator optimizer_step(double parameters, Optimizer optimizer, Precision precision);

}  // namespace orrery::core
