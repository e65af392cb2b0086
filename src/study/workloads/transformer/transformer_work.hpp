// The work that the times of a transformer's training program come from.
#pragma once

#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "program/program.hpp"
#include "report/critical_path/computed_work.hpp"
#include "workload/training/stages/pass_pieces.hpp"
#include "workload/training/stages/training_notes.hpp"

namespace orrery::core {

class TransformerWork final : public ComputedWork {
 public:
  // `program` is the one that training_program() wrote with these notes. Keeps references to all parameters.
  TransformerWork(const TrainingSetup& setup, const StageCosts& costs, const Program& program,
                  const TrainingNotes& notes);

  std::vector<WorkItem> of(std::uint32_t part, ExecutionGraph::Id operation) const override;
  std::vector<ExposedCollective> exposed(std::uint32_t part, ExecutionGraph::Id operation) const override;

 private:
  struct WholePass {
    std::vector<WorkItem> items;
    std::vector<ExposedCollective> exposed;
  };
  using PassKey = std::tuple<std::uint32_t, int, bool, std::size_t, std::size_t>;
  struct OfBlock {
    std::vector<ComputedOperator> operators;  // by step; without a name where the step is a collective
    std::vector<CollectiveRequest> requests;  // by step
    ComputedOperator host;
  };

  const WholePass& pass(std::uint32_t part, const PassPart& of) const;
  const OfBlock& block(BlockKind kind, bool backward) const;
  const std::vector<ComputedOperator>& update(std::uint32_t stage) const;
  const CollectiveRequest& exchange_of(const PassPiece& piece) const;

  const TrainingSetup& setup_;
  const StageCosts& costs_;
  const Program& program_;
  const TrainingNotes& notes_;
  // These are worked out when they are first asked for.
  mutable PassPieces pieces_;
  mutable std::map<PassKey, WholePass> passes_;
  mutable std::map<std::pair<BlockKind, bool>, OfBlock> blocks_;
  mutable std::map<std::uint32_t, std::vector<ComputedOperator>> updates_;
  mutable std::deque<CollectiveRequest> requests_;
  ComputedOperator framework_;
};

}  // namespace orrery::core
