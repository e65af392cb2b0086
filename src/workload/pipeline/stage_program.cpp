#include "workload/pipeline/stage_program.hpp"

#include <utility>

#include "program/graph_builder.hpp"

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;

// Writes down the program of one stage.
class StageWriter {
 public:
  StageWriter(const PipelinePlan& plan, int stage) : plan_(plan), stage_(stage), graph_(plan.names) {}

  ExecutionGraph write() {
    for (iteration_ = 0; iteration_ < plan_.passes; ++iteration_) {
      for (const PipelineSlot& slot : pipeline_slots(plan_.shape, stage_))
        slot.backward ? backward(slot) : forward(slot);
      end_step();
    }
    graph_.wait_for(sends_);
    return graph_.end(iteration_ - 1);
  }

 private:
  void end_step() {
    graph_.wait_for(std::exchange(exchanges_, {}));
    graph_.append({.kind = OperationKind::transition, .iteration = iteration_});
    graph_.end_iteration(iteration_);
  }

  int chunk_of(const PipelineSlot& slot) const { return slot.virtual_stage * plan_.shape.stages + stage_; }
  std::uint32_t stage_of(int chunk) const { return static_cast<std::uint32_t>(chunk % plan_.shape.stages); }

  void compute(Pass pass, std::int32_t layer, const PipelineSlot& slot, Time duration) {
    graph_.append({.kind = OperationKind::compute,
                   .pass = pass,
                   .layer = layer,
                   .iteration = iteration_,
                   .duration = duration,
                   .micro_batch = slot.micro_batch});
  }

  // A message to or from the stage of `other`; a chunk on the same stage has what it needs. Tags tell chunks
  // and directions apart; micro-batches come in order.
  void exchange(OperationKind kind, Pass pass, const PipelineSlot& slot, int other, int tag,
                std::int32_t layer) {
    if (stage_of(other) == static_cast<std::uint32_t>(stage_)) return;
    const Bytes size = plan_.layers[layer].output;
    const Operation operation{.kind = kind,
                              .pass = pass,
                              .layer = layer,
                              .iteration = iteration_,
                              .message = {stage_of(other), static_cast<std::uint32_t>(tag), size},
                              .micro_batch = slot.micro_batch};
    if (kind == OperationKind::receive)
      graph_.append(operation);
    else
      sends_.push_back(graph_.beside(operation));
  }

  void forward(const PipelineSlot& slot) {
    const int chunk = chunk_of(slot);
    const auto [first, end] = plan_.chunks[chunk];
    if (chunk > 0) exchange(OperationKind::receive, Pass::forward, slot, chunk - 1, 2 * chunk, first - 1);
    for (std::int32_t layer = first; layer < end; ++layer)
      compute(Pass::forward, layer, slot, plan_.layers[layer].forward);
    if (chunk + 1 < plan_.shape.chunks())
      exchange(OperationKind::send, Pass::forward, slot, chunk + 1, 2 * (chunk + 1), end - 1);
  }

  void backward(const PipelineSlot& slot) {
    const int chunk = chunk_of(slot);
    const auto [first, end] = plan_.chunks[chunk];
    const bool last_micro_batch = slot.micro_batch == plan_.shape.micro_batches - 1;
    if (chunk + 1 < plan_.shape.chunks())
      exchange(OperationKind::receive, Pass::input_gradient, slot, chunk + 1, 2 * chunk + 1, end - 1);
    for (std::int32_t layer = end; layer-- > first;) {
      const PipelineLayer& costs = plan_.layers[layer];
      if (layer > 0) compute(Pass::input_gradient, layer, slot, costs.input_gradient);
      compute(Pass::weight_gradient, layer, slot, costs.weight_gradient);
      if (last_micro_batch && costs.gradients) reduce_gradients(layer);
    }
    if (chunk > 0)
      exchange(OperationKind::send, Pass::input_gradient, slot, chunk - 1, 2 * chunk - 1, first - 1);
  }

  void reduce_gradients(std::int32_t layer) {
    const PipelineLayer& costs = plan_.layers[layer];
    exchanges_.push_back(graph_.beside({.kind = OperationKind::collective,
                                        .pass = Pass::weight_gradient,
                                        .layer = layer,
                                        .iteration = iteration_,
                                        .collective = *costs.gradients,
                                        .delay = costs.delay}));
  }

  const PipelinePlan& plan_;
  const int stage_;
  GraphBuilder graph_;
  std::vector<Id> exchanges_;  // of gradients in this step
  std::vector<Id> sends_;
  int iteration_ = 0;
};

}  // namespace

ExecutionGraph stage_program(const PipelinePlan& plan, int stage) {
  return StageWriter(plan, stage).write();
}

}  // namespace orrery
