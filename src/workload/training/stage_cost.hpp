// What the stages of a pipeline take for one micro-batch of a transformer, and what they exchange besides.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <vector>

#include "workload/parallelism/gradient_exchange.hpp"
#include "workload/training/block_time.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery {

// A part of a chunk's backward pass that is not cut further, such as a layer: gradients are there at its end.
struct BackwardPiece {
  BlockTime time;
  double dense_parameters = 0, expert_parameters = 0;  // whose gradients it makes
};

// Consecutive layers, with the embedding in front of the first and the head behind the last.
struct ChunkCost {
  BlockTime forward;
  std::vector<BackwardPiece> backward;  // in order

  BlockTime all_of_backward() const;
};

struct StageCost {
  std::vector<ChunkCost> chunks;  // by virtual stage
  double dense_parameters = 0, expert_parameters = 0;
  double optimizer = 0;  // seconds of the update, embedding's gradients included where they are shared
  double gather_parameters = 0;  // seconds, after it (ZeRO 1 and 2)
};

class StageCosts {
 public:
  // The plan must be one that errors_of_plan() has nothing against.
  explicit StageCosts(const TrainingSetup& setup);

  const StageCost& of(std::size_t stage) const { return stages_[stage]; }
  // Of gradients that are exchanged in one go.
  double reduce_seconds(double dense_parameters, double expert_parameters) const;
  double send_seconds(std::size_t from, std::size_t to) const;

 private:
  struct Layer;
  ExchangeSeconds exchange() const;
  // Of gradients or weights among the ranks that have the same parameters.
  double exchange_seconds(ExchangeMoment moment, double dense_parameters, double expert_parameters) const;
  GroupPlacement placement(std::initializer_list<MeshAxis> axes) const;
  Layer layer_of(const RankBlock& block) const;
  const Layer& layer_kind(bool with_experts);
  void add_chunk(std::size_t chunk, StageCost& cost);
  void finish(std::size_t stage, StageCost& cost) const;

  const TrainingSetup& setup_;
  RankMesh mesh_;
  std::array<std::shared_ptr<const Layer>, 2> kinds_;  // without and with experts, once they are known
  std::vector<StageCost> stages_;
};

// What the software adds to operators.
Slowdown slowdown_of(const SoftwareStack& stack);

// The updates of `parameters` by Adam and the like: passes over gradients, weights and the optimizer's state.
// (spec: workload generator, section 3.7)
Operator optimizer_step(double parameters, Optimizer optimizer, Precision precision);

}  // namespace orrery
