#include "workload/training/training_program.hpp"

#include <fmt/format.h>

#include <utility>

#include "program/graph_builder.hpp"
#include "workload/training/stage_walk.hpp"

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;

// Writes down what a stage does.
class GraphWriter {
 public:
  GraphWriter(const PipelineShape& shape, int stage) : graph_(names_of(shape, stage)) {}

  ExecutionGraph take() { return std::move(made_); }

  void compute(Pass pass, int layer, int micro_batch, Time duration) {
    graph_.append({.kind = OperationKind::compute,
                   .pass = pass,
                   .layer = layer,
                   .duration = duration,
                   .micro_batch = micro_batch});
  }
  void receive(const StageMessage& message) { graph_.append(operation(OperationKind::receive, message)); }
  void send(const StageMessage& message, bool beside) {
    const Id sent = graph_.after(graph_.last(), operation(OperationKind::send, message));
    beside ? waits_at_end_.push_back(sent) : graph_.wait_for(sent);
  }
  void exchange(int layer, Time duration) {
    waits_at_end_.push_back(
        graph_.after(graph_.last(), {OperationKind::collective, Pass::weight_gradient, layer, 0, duration}));
  }
  void wait_for_all() { graph_.wait_only_for(std::exchange(waits_at_end_, {})); }
  void gather(int layer, Time duration) {
    graph_.wait_for(
        graph_.after(graph_.last(), {OperationKind::collective, Pass::forward, layer, 0, duration}));
  }
  void end() { made_ = graph_.end(); }

 private:
  static Operation operation(OperationKind kind, const StageMessage& message) {
    return {
        .kind = kind,
        .pass = message.of.backward ? Pass::input_gradient : Pass::forward,
        .layer = message.of.virtual_stage,
        .message = {static_cast<std::uint32_t>(message.peer), static_cast<std::uint32_t>(message.tag), {}},
        .micro_batch = message.of.micro_batch};
  }
  static std::vector<std::string> names_of(const PipelineShape& shape, int stage) {
    std::vector<std::string> names;
    for (int chunk = 0; chunk < shape.virtual_stages; ++chunk)
      names.push_back(fmt::format("chunk {}", chunk * shape.stages + stage));
    names.emplace_back("update");
    return names;
  }

  GraphBuilder graph_;
  ExecutionGraph made_;
  std::vector<Id> waits_at_end_;  // sends and exchanges
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
  const PipelineShape shape = setup.pipeline();
  for (int stage = 0; stage < shape.stages; ++stage) {
    GraphWriter graph(shape, stage);
    StageWalk walk(setup, costs, stage, graph);
    const std::vector<PipelineSlot> slots = pipeline_slots(shape, stage);
    for (const PipelineSlot& slot : slots) walk.pass(slot);
    walk.update();
    program.parts.push_back({fmt::format("stage {}", stage),
                             graph.take(),
                             {static_cast<std::uint32_t>(stage)},
                             most_in_flight(slots) / double(shape.virtual_stages)});
  }
  return program;
}

}  // namespace orrery
