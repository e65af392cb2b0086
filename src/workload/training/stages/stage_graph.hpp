// Writes the graph of a stage of the pipeline, except for the contents of its passes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "program/graph_builder.hpp"
#include "workload/training/stages/stage_walk.hpp"
#include "workload/training/stages/training_notes.hpp"

namespace orrery::core {

class StageGraph {
 public:
  using Id = ExecutionGraph::Id;

  // Keeps references. `notes` get what computations consist of. It may be null.
  StageGraph(const TrainingSetup& setup, const StageCosts& costs, int stage, StageNotes* notes)
      : setup_(setup),
        costs_(costs),
        stage_(stage),
        notes_(notes),
        graph_(names_of(setup, stage)),
        exchanged_(graph_.last()) {}

  ExecutionGraph take() { return std::move(made_); }
  // Returns the operations of the first pass if the end of the step is hidden behind them.
  std::optional<std::pair<Id, Id>> hides_end() const { return hides_end_ ? first_pass_ : std::nullopt; }

  void receive(const StageMessage& message) { graph_.append(operation(OperationKind::receive, message)); }
  void send(const StageMessage& message, bool beside) {
    const Id sent = graph_.after(graph_.last(), operation(OperationKind::send, message));
    beside ? waits_at_end_.push_back(sent) : graph_.wait_for(sent);
  }
  void exchange(int layer, const ParameterExchange& exchange) {
    waits_at_end_.push_back(write(exchange, Pass::weight_gradient, layer));
  }
  void update(int layer, Time optimizer, Time shared_embedding) {
    Operation update{OperationKind::compute, Pass::weight_gradient, layer, 0, optimizer + shared_embedding};
    update.updates = true;
    update.communication = shared_embedding;
    if (const WaitWithin sum{no_communicator, shared_embedding}; sum.time > Time())
      update.waits_within = graph_.waits_within(std::span(&sum, 1));
    const PipelineShape shape = setup_.pipeline();
    const Bytes gradients = costs_.of(static_cast<std::size_t>(stage_)).embedding_gradients;
    if (!setup_.library && gradients > Bytes()) {
      // Two ranks add up their gradients by sending each other all of them.
      const auto peer = static_cast<std::uint32_t>(stage_ == 0 ? shape.stages - 1 : 0);
      const auto tag = static_cast<std::uint32_t>(2 * shape.chunks() + 1);  // tags after those of chunks
      Operation message{.kind = OperationKind::send, .pass = Pass::weight_gradient, .layer = layer};
      message.message = {peer, tag, gradients};
      graph_.append({.kind = OperationKind::transition, .pass = Pass::weight_gradient, .layer = layer});
      graph_.wait_for(graph_.after(graph_.last(), message));
      message.kind = OperationKind::receive;
      graph_.append(message);
    }
    update.work = optimizer_;
    graph_.append(update);
  }
  void wait_for_all() { graph_.wait_only_for(std::exchange(waits_at_end_, {})); }
  void gather(int layer, const ParameterExchange& exchange, Time hidden) {
    graph_.wait_for(write(exchange, Pass::forward, layer));
    hides_end_ = hidden > Time();
  }
  void end() { made_ = graph_.end(); }

 protected:
  const TrainingSetup& setup() const { return setup_; }
  const StageCosts& costs() const { return costs_; }
  GraphBuilder& graph() { return graph_; }
  StageNotes* notes() { return notes_; }

  // Gives the update of weights a name of its own.
  void name_update() { optimizer_ = graph_.work({"update", "optimizer"}); }
  // Both functions have to be called around what a pass appends.
  void begin_pass() { pass_begins_at_ = static_cast<Id>(graph_.size()); }
  void end_pass() {
    if (!first_pass_) first_pass_ = {pass_begins_at_, graph_.last()};
  }
  static Operation like(const PipelineSlot& slot, OperationKind kind, Time duration = {}) {
    return {.kind = kind,
            .pass = slot.backward ? Pass::input_gradient : Pass::forward,
            .layer = slot.virtual_stage,
            .duration = duration,
            .micro_batch = slot.micro_batch};
  }
  // Adds the collectives and returns the last of them. Each one begins when the program has got there and the
  // exchange before it has ended.
  Id write(const ParameterExchange& exchange, Pass pass, int layer) {
    for (const CollectiveRequest& request : exchange.requests) {
      const std::array<Id, 2> predecessors{graph_.last(), exchanged_};
      exchanged_ = graph_.after(
          predecessors,
          {.kind = OperationKind::collective, .pass = pass, .layer = layer, .collective = request});
    }
    return exchanged_;
  }

 private:
  Operation operation(OperationKind kind, const StageMessage& message) const {
    Operation made = like(message.of, kind);
    made.message = {static_cast<std::uint32_t>(message.peer), static_cast<std::uint32_t>(message.tag),
                    costs_.message()};
    return made;
  }
  static std::vector<std::string> names_of(const TrainingSetup& setup, int stage) {
    const PipelineShape shape = setup.pipeline();
    std::vector<std::string> names;
    for (int chunk = 0; chunk < shape.virtual_stages; ++chunk)
      names.push_back(fmt::format("chunk {}", chunk * shape.stages + stage));
    names.emplace_back("update");
    return names;
  }

  const TrainingSetup& setup_;
  const StageCosts& costs_;
  int stage_;
  StageNotes* notes_;
  GraphBuilder graph_;
  ExecutionGraph made_;
  Id exchanged_;                  // the last collective of gradients or weights
  std::vector<Id> waits_at_end_;  // sends and exchanges
  std::int16_t optimizer_ = -1;   // number among the names of works
  Id pass_begins_at_ = 0;
  std::optional<std::pair<Id, Id>> first_pass_;
  bool hides_end_ = false;
};

}  // namespace orrery::core
