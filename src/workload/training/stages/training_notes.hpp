// Notes on what the computations of a training program consist of. They are made while the program is
// written, and used by whoever explains it later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units/time.hpp"
#include "program/execution_graph.hpp"
#include "workload/training/stages/stage_walk.hpp"

namespace orrery::core {

// An operator of a block, or a part of one, with the time that it takes there.
struct NotedOperator {
  BlockKind block = BlockKind::layer;
  bool backward = false;
  std::uint16_t step = 0;  // number among the block's forward or backward steps
  Time time;
};

// Notes about one stage's graph. Operations are noted in the order of their ids.
class StageNotes {
 public:
  using Id = ExecutionGraph::Id;

  void note_pass(Id operation, const PassPart& part) { passes_.push_back({operation, part}); }
  void note_operators(Id operation, std::span<const NotedOperator> operators) {
    begins_.push_back({operation, operators_.size()});
    operators_.insert(operators_.end(), operators.begin(), operators.end());
  }

  // Returns the pass that an operation stands for. Null: it stands for none.
  const PassPart* pass_of(Id operation) const {
    const auto found = std::ranges::lower_bound(passes_, operation, {}, &NotedPass::operation);
    return found != passes_.end() && found->operation == operation ? &found->part : nullptr;
  }
  // Returns the operators that an operation computes, one after the other.
  std::span<const NotedOperator> operators_of(Id operation) const {
    const auto found = std::ranges::lower_bound(begins_, operation, {}, &Begin::operation);
    if (found == begins_.end() || found->operation != operation) return {};
    const std::size_t end = found + 1 == begins_.end() ? operators_.size() : (found + 1)->place;
    return std::span(operators_).subspan(found->place, end - found->place);
  }

 private:
  struct NotedPass {
    Id operation;
    PassPart part;
  };
  struct Begin {
    Id operation;
    std::size_t place;  // place in operators_
  };
  std::vector<NotedPass> passes_;
  std::vector<Begin> begins_;
  std::vector<NotedOperator> operators_;
};

using TrainingNotes = std::vector<StageNotes>;  // by part of the program

}  // namespace orrery::core
