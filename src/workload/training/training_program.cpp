#include "workload/training/training_program.hpp"

#include <fmt/format.h>

#include "workload/training/stage_walk.hpp"

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;

// Writes down what a stage does.
class GraphWriter {
 public:
  GraphWriter(const PipelineShape& shape, int stage) {
    for (int chunk = 0; chunk < shape.virtual_stages; ++chunk)
      graph_.layer_names.push_back(fmt::format("chunk {}", chunk * shape.stages + stage));
    graph_.layer_names.push_back("update");
    last_ = graph_.add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {});
  }

  ExecutionGraph take() { return std::move(graph_); }

  void compute(Pass pass, int layer, int micro_batch, Time duration) {
    append({OperationKind::compute, pass, layer, 0, duration, {}, {}, {}, micro_batch});
  }
  void receive(const StageMessage& message) { append(operation(OperationKind::receive, message)); }
  void send(const StageMessage& message, bool beside) {
    (beside ? waits_at_end_ : waits_).push_back(add_beside(operation(OperationKind::send, message)));
  }
  void exchange(int layer, Time duration) {
    waits_at_end_.push_back(
        add_beside({OperationKind::collective, Pass::weight_gradient, layer, 0, duration, {}, {}}));
  }
  void wait_for_all() { waits_ = std::move(waits_at_end_); }
  void gather(int layer, Time duration) {
    waits_.push_back(add_beside({OperationKind::collective, Pass::forward, layer, 0, duration, {}, {}}));
  }
  void end() { append({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}); }

 private:
  static Operation operation(OperationKind kind, const StageMessage& message) {
    return {kind,
            message.of.backward ? Pass::input_gradient : Pass::forward,
            message.of.virtual_stage,
            0,
            {},
            {},
            {},
            {static_cast<std::uint32_t>(message.peer), static_cast<std::uint32_t>(message.tag), Bytes()},
            message.of.micro_batch};
  }

  void append(const Operation& operation) {
    waits_.insert(waits_.begin(), last_);
    last_ = graph_.add(operation, waits_);
    waits_.clear();
  }
  Id add_beside(const Operation& operation) { return graph_.add(operation, std::span(&last_, 1)); }

  ExecutionGraph graph_;
  Id last_ = 0;
  std::vector<Id> waits_;         // of the next operation
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

ParallelProgram training_program(const TrainingSetup& setup, const StageCosts& costs) {
  require_training_program_fits(setup);
  ParallelProgram program;
  const PipelineShape shape = setup.pipeline();
  for (int stage = 0; stage < shape.stages; ++stage) {
    GraphWriter graph(shape, stage);
    StageWalk walk(setup, costs, stage, graph);
    const std::vector<PipelineSlot> slots = pipeline_slots(shape, stage);
    for (const PipelineSlot& slot : slots) walk.pass(slot);
    walk.update();
    program.parts.push_back({fmt::format("stage {}", stage),
                             graph.take(),
                             {},
                             most_in_flight(slots) / double(shape.virtual_stages)});
  }
  return program;
}

}  // namespace orrery
