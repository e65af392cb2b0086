// The pieces of a micro-batch's pass through a chunk. A stage's time goes to operators, one after the other,
// and to waiting for collectives as far as operators do not hide them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "workload/training/stages/stage_cost.hpp"
#include "workload/training/stages/stage_walk.hpp"

namespace orrery::core {

struct PassPiece {
  enum class Kind : std::uint8_t {
    step,       // an operator, or waiting for a collective
    host,       // waiting for the host's launches
    framework,  // time that the framework takes for a pass
    weights,    // waiting for the weights of a block, under ZeRO 3
    gradients   // waiting for the reduction of blocks' gradients, under ZeRO 2 and 3
  };
  Kind kind = Kind::step;
  BlockKind block = BlockKind::layer;
  std::size_t step = 0;  // number among the block's forward or backward steps
  double count = 0;      // number of blocks of that kind
  Seconds time;          // time of all of them
  Seconds contended;     // the part that is due to collectives beside an operator
};

// Returns the blocks of a pass in the order in which it goes through them.
std::vector<BlockKind> blocks_of_pass(const TrainingSetup& setup, int stage, const PassPart& part);

// Keeps references.
class PassPieces {
 public:
  PassPieces(const TrainingSetup& setup, const StageCosts& costs) : setup_(setup), costs_(costs) {}

  // Returns the pieces that take any time. Together they are the pass's duration, except for rounding.
  std::vector<PassPiece> of(int stage, const PassPart& part);
  // Returns what a rank does for a block and one micro-batch, forward or backward.
  const std::vector<Step>& steps(BlockKind kind, bool backward);

 private:
  struct Block {
    RankBlock steps;
    struct Times {
      StepTimes of_steps;
      Seconds host;
      BlockTime all;  // with the host's time
    } forward, backward;
  };
  const Block& block(BlockKind kind);
  Block::Times times_of(const std::vector<Step>& steps) const;
  OverlappedLayer layer(BlockKind kind, bool backward);
  // `longer` is by how much blocks of the kind take longer beside exchanges of weights and gradients.
  void add_steps(BlockKind kind, bool backward, double count, Seconds longer, std::vector<PassPiece>& pieces);

  const TrainingSetup& setup_;
  const StageCosts& costs_;
  std::map<BlockKind, Block> blocks_;
};

}  // namespace orrery::core
