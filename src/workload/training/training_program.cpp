#include "workload/training/training_program.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orrery {

namespace {

using Id = ExecutionGraph::Id;

Time time_of(double seconds) {
  return Time::from_ns_rounded(seconds * 1e9);
}

class StageWriter {
 public:
  StageWriter(const TrainingSetup& setup, const StageCosts& costs, int stage)
      : setup_(setup),
        shape_(setup.pipeline()),
        cost_(costs.of(static_cast<std::size_t>(stage))),
        costs_(costs),
        stage_(stage) {
    for (std::size_t chunk = 0; chunk < cost_.chunks.size(); ++chunk)
      graph_.layer_names.push_back(fmt::format("chunk {}", chunk_of(static_cast<int>(chunk))));
    graph_.layer_names.push_back("update");
  }

  ExecutionGraph write() {
    last_ = graph_.add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {});
    for (const PipelineSlot& slot : pipeline_slots(shape_, stage_))
      slot.backward ? backward(slot) : forward(slot);
    update();
    append({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}});
    return std::move(graph_);
  }

 private:
  int chunk_of(int virtual_stage) const { return virtual_stage * shape_.stages + stage_; }
  std::uint32_t stage_of(int chunk) const { return static_cast<std::uint32_t>(chunk % shape_.stages); }

  Id append(const Operation& operation) {
    std::vector<Id> predecessors{last_};
    predecessors.insert(predecessors.end(), waits_.begin(), waits_.end());
    waits_.clear();
    return last_ = graph_.add(operation, predecessors);
  }

  void compute(Pass pass, int layer, int micro_batch, double seconds) {
    append({OperationKind::compute, pass, layer, 0, time_of(seconds), {}, {}, {}, micro_batch});
  }

  void exchange(OperationKind kind, Pass pass, const PipelineSlot& slot, int other, int tag) {
    if (stage_of(other) == static_cast<std::uint32_t>(stage_)) return;
    const Operation operation{kind,
                              pass,
                              slot.virtual_stage,
                              0,
                              {},
                              {},
                              {},
                              {stage_of(other), static_cast<std::uint32_t>(tag), Bytes()},
                              slot.micro_batch};
    if (kind == OperationKind::receive)
      append(operation);
    else
      (setup_.overlap_messages ? waits_at_end_ : waits_)
          .push_back(graph_.add(operation, std::vector<Id>{last_}));
  }

  void forward(const PipelineSlot& slot) {
    const int chunk = chunk_of(slot.virtual_stage);
    if (chunk > 0) exchange(OperationKind::receive, Pass::forward, slot, chunk - 1, 2 * chunk);
    compute(Pass::forward, slot.virtual_stage, slot.micro_batch,
            cost_.chunks[static_cast<std::size_t>(slot.virtual_stage)].forward.seconds);
    if (chunk + 1 < shape_.chunks())
      exchange(OperationKind::send, Pass::forward, slot, chunk + 1, 2 * (chunk + 1));
  }

  void backward(const PipelineSlot& slot) {
    const int chunk = chunk_of(slot.virtual_stage);
    if (chunk + 1 < shape_.chunks())
      exchange(OperationKind::receive, Pass::input_gradient, slot, chunk + 1, 2 * chunk + 1);
    const ChunkCost& cost = cost_.chunks[static_cast<std::size_t>(slot.virtual_stage)];
    const bool exchanges = setup_.overlap_gradients && slot.micro_batch == shape_.micro_batches - 1;
    if (exchanges)
      last_backward(slot, cost);
    else
      compute(Pass::input_gradient, slot.virtual_stage, slot.micro_batch, cost.all_of_backward().seconds);
    if (chunk > 0) exchange(OperationKind::send, Pass::input_gradient, slot, chunk - 1, 2 * chunk - 1);
  }

  // Cut behind each piece that fills a bucket.
  void last_backward(const PipelineSlot& slot, const ChunkCost& cost) {
    const double bytes = bytes_per_parameter(setup_.optimizer, setup_.precision).gradients;
    double seconds = 0, dense = 0, experts = 0;
    for (std::size_t i = 0; i < cost.backward.size(); ++i) {
      const BackwardPiece& piece = cost.backward[i];
      seconds += piece.time.seconds;
      dense += piece.dense_parameters;
      experts += piece.expert_parameters;
      const bool is_last = i + 1 == cost.backward.size();
      if (!is_last && (dense + experts) * bytes < setup_.stack.bucket_bytes) continue;
      compute(Pass::input_gradient, slot.virtual_stage, slot.micro_batch, seconds);
      reduce(slot.virtual_stage, dense, experts);
      seconds = dense = experts = 0;
    }
  }

  void reduce(int layer, double dense, double experts) {
    const double seconds = costs_.reduce_seconds(dense, experts);
    if (seconds <= 0) return;
    waits_at_end_.push_back(
        graph_.add({OperationKind::collective, Pass::weight_gradient, layer, 0, time_of(seconds), {}, {}},
                   std::vector<Id>{last_}));
  }

  void update() {
    const int layer = static_cast<int>(cost_.chunks.size());
    if (!setup_.overlap_gradients && setup_.plan.zero < 2)
      reduce(layer, cost_.dense_parameters, cost_.expert_parameters);
    waits_.swap(waits_at_end_);
    compute(Pass::weight_gradient, layer, -1, cost_.optimizer);
    // What the first forward pass of the next step hides need not be waited for.
    const double hidden = setup_.overlap_parameters ? cost_.chunks.front().forward.seconds : 0.0;
    const double seconds = std::max(0.0, cost_.gather_parameters - hidden);
    if (seconds > 0)
      waits_.push_back(
          graph_.add({OperationKind::collective, Pass::forward, layer, 0, time_of(seconds), {}, {}},
                     std::vector<Id>{last_}));
  }

  const TrainingSetup& setup_;
  const PipelineShape shape_;
  const StageCost& cost_;
  const StageCosts& costs_;
  const int stage_;
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
    ProgramPart part{fmt::format("stage {}", stage), StageWriter(setup, costs, stage).write(), {}};
    part.micro_batches_in_flight =
        most_in_flight(pipeline_slots(shape, stage)) / double(shape.virtual_stages);
    program.parts.push_back(std::move(part));
  }
  return program;
}

}  // namespace orrery
