// Writes a stage whose passes are given operator by operator. Every collective within a layer is a node of
// its own, which a network carries beside everything else.
//
// Operators of a block run one after another. Neighbours that need not be told apart are one node, unless
// each operator is to be seen. The collectives of an axis follow one another, too. While a collective comes
// in blocks (ring attention), operators work on the blocks that are there. So the graph has the times that
// block_time.hpp works out, if each collective takes the time that it takes by itself.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "workload/training/stages/stage_graph.hpp"

namespace orrery::core {

class StageOfBlocks : public StageGraph {
 public:
  StageOfBlocks(const TrainingSetup& setup, const StageCosts& costs, int stage, StageNotes* notes)
      : StageGraph(setup, costs, stage, notes),
        blocks_(blocks_of_stage(setup.model, setup.plan, static_cast<std::uint64_t>(stage))) {}

  void pass(const PassPart& part);

 protected:
  // Makes each operator a node that says what it computes.
  void name_operators() {
    names_operators_ = true;
    name_update();
  }

 private:
  struct Block {
    RankBlock steps;
    // Weights of ZeRO 3, and reduction of ZeRO 2 and 3; otherwise empty.
    ParameterExchange weights, reduction;
  };

  const Block& block_of_kind(BlockKind kind);
  void write_block(BlockKind kind, const std::vector<Step>& steps, const PipelineSlot& slot);

  bool names_operators_ = false;
  std::vector<std::vector<BlockKind>> blocks_;  // by virtual stage
  std::map<BlockKind, Block> known_;
  std::array<std::optional<Id>, axis_count> lanes_;  // the last collective of each axis
};

class StageOfOperators : public StageOfBlocks {
 public:
  StageOfOperators(const TrainingSetup& setup, const StageCosts& costs, int stage, StageNotes* notes)
      : StageOfBlocks(setup, costs, stage, notes) {
    name_operators();
  }
};

}  // namespace orrery::core
