// Builds an execution graph in program order. Every frontend makes its graphs with it.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "program/execution_graph.hpp"

namespace orrery::core {

class GraphBuilder {
 public:
  using Id = ExecutionGraph::Id;

  // Begins the program.
  explicit GraphBuilder(std::vector<std::string> layer_names = {}) {
    graph_.layer_names = std::move(layer_names);
    last_ = graph_.add({.kind = OperationKind::begin}, {});
  }

  // Returns the last operation in program order.
  Id last() const { return last_; }
  std::size_t size() const { return graph_.size(); }

  // Returns the number by which operations name this work.
  std::int16_t work(const WorkName& name) {
    const auto known = std::find(graph_.work_names.begin(), graph_.work_names.end(), name);
    const auto number = static_cast<std::int16_t>(known - graph_.work_names.begin());
    if (known == graph_.work_names.end()) graph_.work_names.push_back(name);
    return number;
  }

  // Returns the number by which computations name what they wait for within.
  std::uint16_t waits_within(std::span<const WaitWithin> waits) {
    if (waits.empty()) return 0;
    std::vector<std::vector<WaitWithin>>& lists = graph_.waits_within;
    const auto known =
        std::ranges::find_if(lists, [&](const auto& list) { return std::ranges::equal(list, waits); });
    const auto number = static_cast<std::uint16_t>(known - lists.begin());
    if (known == lists.end()) lists.emplace_back(waits.begin(), waits.end());
    return number;
  }

  // Makes the next operation in program order also wait for this one.
  void wait_for(Id id) { waits_.push_back(id); }
  void wait_for(std::span<const Id> ids) { waits_.insert(waits_.end(), ids.begin(), ids.end()); }

  // Makes the next operation wait for nothing but these and the operation before it.
  void wait_only_for(std::span<const Id> ids) { waits_.assign(ids.begin(), ids.end()); }

  // Appends the next operation in program order.
  Id append(const Operation& operation) {
    last_ = beside(operation);
    waits_.clear();
    return last_;
  }
  // Adds an operation that starts where the next one in program order would. The program goes on beside it.
  Id beside(const Operation& operation) {
    waits_.insert(waits_.begin(), last_);
    const Id id = graph_.add(operation, waits_);
    waits_.erase(waits_.begin());
    return id;
  }
  // Adds an operation that starts when these are complete.
  Id after(std::span<const Id> predecessors, const Operation& operation) {
    return graph_.add(operation, predecessors);
  }
  Id after(Id predecessor, const Operation& operation) {
    return after(std::span(&predecessor, 1), operation);
  }

  // Says that a training iteration reaches its end; the program goes on.
  void end_iteration(std::int32_t iteration) {
    beside({.kind = OperationKind::pass_end, .iteration = iteration});
  }
  // Ends the program, and the builder with it.
  ExecutionGraph end(std::int32_t iteration = 0) {
    append({.kind = OperationKind::end, .iteration = iteration});
    return std::move(graph_);
  }

 private:
  ExecutionGraph graph_;
  Id last_ = 0;
  std::vector<Id> waits_;  // what the next operation in program order waits for
};

}  // namespace orrery::core
