#include "program/execution_graph.hpp"

namespace orrery {

ExecutionGraph::Id ExecutionGraph::add(const Operation& operation, std::span<const Id> predecessors) {
  operations_.push_back(operation);
  predecessors_.insert(predecessors_.end(), predecessors.begin(), predecessors.end());
  first_predecessor_.push_back(static_cast<std::uint32_t>(predecessors_.size()));
  return static_cast<Id>(operations_.size() - 1);
}

std::span<const ExecutionGraph::Id> ExecutionGraph::predecessors(Id id) const {
  return std::span(predecessors_)
      .subspan(first_predecessor_[id], first_predecessor_[id + 1] - first_predecessor_[id]);
}

ExecutionGraph::Successors ExecutionGraph::successors() const {
  Successors result;
  result.first.assign(size() + 1, 0);
  for (Id predecessor : predecessors_) ++result.first[predecessor + 1];
  for (std::size_t i = 0; i < size(); ++i) result.first[i + 1] += result.first[i];
  result.ids.resize(predecessors_.size());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (Id id = 0; id < size(); ++id) {
    for (Id predecessor : predecessors(id)) result.ids[next[predecessor]++] = id;
  }
  return result;
}

}  // namespace orrery
