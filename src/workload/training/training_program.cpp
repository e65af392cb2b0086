#include "workload/training/training_program.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "program/graph_builder.hpp"
#include "workload/training/stage_walk.hpp"

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;

// Writes down what a stage does, with each pass of a micro-batch through a chunk as one node.
class GraphWriter {
 public:
  GraphWriter(const StageCosts& costs, const PipelineShape& shape, int stage)
      : costs_(costs), graph_(names_of(shape, stage)), exchanged_(graph_.last()) {}

  ExecutionGraph take() { return std::move(made_); }
  Time hidden_at_end() const { return hidden_at_end_; }

  void pass(const PassPart& part) {
    graph_.append({.kind = OperationKind::compute,
                   .pass = part.slot.backward ? Pass::input_gradient : Pass::forward,
                   .layer = part.slot.virtual_stage,
                   .duration = part.duration,
                   .micro_batch = part.slot.micro_batch});
  }
  void update(int layer, Time duration) {
    graph_.append({OperationKind::compute, Pass::weight_gradient, layer, 0, duration});
  }
  void receive(const StageMessage& message) { graph_.append(operation(OperationKind::receive, message)); }
  void send(const StageMessage& message, bool beside) {
    const Id sent = graph_.after(graph_.last(), operation(OperationKind::send, message));
    beside ? waits_at_end_.push_back(sent) : graph_.wait_for(sent);
  }
  void exchange(int layer, const ParameterExchange& exchange) {
    waits_at_end_.push_back(write(exchange, Pass::weight_gradient, layer));
  }
  void wait_for_all() { graph_.wait_only_for(std::exchange(waits_at_end_, {})); }
  void gather(int layer, const ParameterExchange& exchange, Time hidden) {
    graph_.wait_for(write(exchange, Pass::forward, layer));
    hidden_at_end_ = hidden;
  }
  void end() { made_ = graph_.end(); }

 private:
  // Returns the last of its collectives. Each begins when the program has got there and the one before it has
  // ended.
  Id write(const ParameterExchange& exchange, Pass pass, int layer) {
    for (const CollectiveRequest& request : exchange.requests) {
      const std::array<Id, 2> predecessors{graph_.last(), exchanged_};
      exchanged_ = graph_.after(
          predecessors,
          {.kind = OperationKind::collective, .pass = pass, .layer = layer, .collective = request});
    }
    return exchanged_;
  }
  Operation operation(OperationKind kind, const StageMessage& message) const {
    return {.kind = kind,
            .pass = message.of.backward ? Pass::input_gradient : Pass::forward,
            .layer = message.of.virtual_stage,
            .message = {static_cast<std::uint32_t>(message.peer), static_cast<std::uint32_t>(message.tag),
                        costs_.message()},
            .micro_batch = message.of.micro_batch};
  }
  static std::vector<std::string> names_of(const PipelineShape& shape, int stage) {
    std::vector<std::string> names;
    for (int chunk = 0; chunk < shape.virtual_stages; ++chunk)
      names.push_back(fmt::format("chunk {}", chunk * shape.stages + stage));
    names.emplace_back("update");
    return names;
  }

  const StageCosts& costs_;
  GraphBuilder graph_;
  ExecutionGraph made_;
  Id exchanged_;                  // the last collective of gradients or weights
  std::vector<Id> waits_at_end_;  // sends and exchanges
  Time hidden_at_end_;
};

}  // namespace

void require_training_program_fits(const TrainingSetup& setup) {
  const PipelineShape shape = setup.pipeline();
  // Each pass is an operation, and between stages a send and a receive go with it.
  const double per_pass = shape.stages > 1 ? 3 : 1;
  const double passes = 2.0 * shape.micro_batches * shape.chunks();
  require_program_fits(passes * per_pass, setup.where,
                       fmt::format("{} micro-batches of a training step", shape.micro_batches),
                       "make `batch.micro` or `parallelism.data` larger, or `batch.global` smaller");
}

Program training_program(const TrainingSetup& setup, const StageCosts& costs) {
  require_training_program_fits(setup);
  Program program;
  program.where = setup.where;
  program.communicators = costs.communicators().all();
  const PipelineShape shape = setup.pipeline();
  const RankMesh mesh = setup.mesh();
  for (int stage = 0; stage < shape.stages; ++stage) {
    GraphWriter graph(costs, shape, stage);
    StageWalk walk(setup, costs, stage, graph);
    const std::vector<PipelineSlot> slots = pipeline_slots(shape, stage);
    for (const PipelineSlot& slot : slots) walk.pass(slot);
    walk.update();
    program.parts.push_back({fmt::format("stage {}", stage), graph.take(),
                             mesh.ranks_of_stage(static_cast<std::uint64_t>(stage)),
                             most_in_flight(slots) / double(shape.virtual_stages), graph.hidden_at_end()});
  }
  return program;
}

}  // namespace orrery
