#include "workload/pipeline/pipeline_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "program/graph_builder.hpp"
#include "workload/pipeline/layer_chunks.hpp"

namespace orrery::core {

namespace {

std::vector<LayerSegment> segments_of(const LayerTable& table) {
  std::vector<LayerSegment> segments;
  bool starts = true;
  for (const Layer& layer : table.layers) {
    if (starts) segments.push_back({0, {}});
    ++segments.back().layers;
    for (const LayerStep* step : {&layer.forward, &layer.input_gradient, &layer.weight_gradient})
      segments.back().compute = saturated_sum(segments.back().compute, step->compute);
    starts = layer.ends_block;
  }
  return segments;
}

// Every layer computes a micro-batch in three steps, and every chunk sends and receives it, on the way there
// and back.
void require_fits(const LayerTable& table, int stages, int passes) {
  const PipelineOptions& options = *table.pipeline;
  const double of_micro_batch =
      3.0 * static_cast<double>(table.layers.size()) + 4.0 * stages * options.virtual_stages;
  require_program_fits(of_micro_batch * options.micro_batches * passes, options.where,
                       fmt::format("{} micro-batches of {} layers in {} training passes",
                                   options.micro_batches, table.layers.size(), passes),
                       "simulate fewer micro-batches or passes");
}

PipelineShape shape_of(const PipelineOptions& options, int stages) {
  const PipelineShape shape{options.schedule, stages, options.micro_batches, options.virtual_stages};
  if (shape.schedule == PipelineSchedule::interleaved && shape.micro_batches % stages != 0) {
    const int below = shape.micro_batches / stages * stages;
    throw InputError(
        options.where,
        fmt::format("an interleaved schedule of {} stages needs a multiple of {} micro-batches, use "
                    "{}{} instead of {}",
                    stages, stages, below > 0 ? fmt::format("{} or ", below) : "", below + stages,
                    shape.micro_batches));
  }
  return shape;
}

using Id = ExecutionGraph::Id;

// Writes down the program of one stage.
class StageWriter {
 public:
  StageWriter(const PipelinePlan& plan, int stage, const std::vector<std::uint32_t>& parts,
              GradientStore* store)
      : plan_(plan), stage_(stage), parts_(parts), store_(store), graph_(plan.table.names()) {}

  ExecutionGraph write() {
    for (iteration_ = 0; iteration_ < plan_.passes; ++iteration_) {
      for (const PipelineSlot& slot : pipeline_slots(plan_.shape, stage_))
        slot.backward ? backward(slot) : forward(slot);
      end_step();
    }
    graph_.wait_for(sends_);
    if (store_)
      for (int chunk = stage_; chunk < plan_.shape.chunks(); chunk += plan_.shape.stages)
        for (auto [layer, end] = plan_.chunks[chunk]; layer < end; ++layer) store_->pull(graph_, layer);
    return graph_.end(iteration_ - 1);
  }

 private:
  void end_step() {
    graph_.wait_for(std::exchange(exchanges_, {}));
    graph_.append({.kind = OperationKind::transition, .iteration = iteration_});
    graph_.end_iteration(iteration_);
    if (store_) store_->end_step(graph_, iteration_);
  }

  const Layer& layer_of(std::int32_t number) const {
    return plan_.table.layers[static_cast<std::size_t>(number)];
  }
  int chunk_of(const PipelineSlot& slot) const { return slot.virtual_stage * plan_.shape.stages + stage_; }
  int stage_of(int chunk) const { return chunk % plan_.shape.stages; }

  void compute(Pass pass, std::int32_t layer, const PipelineSlot& slot) {
    graph_.append({.kind = OperationKind::compute,
                   .pass = pass,
                   .layer = layer,
                   .iteration = iteration_,
                   .duration = layer_of(layer).step(pass).compute,
                   .micro_batch = slot.micro_batch,
                   .contention = layer_of(layer).step(pass).contention});
  }

  // A message to or from the stage of `other`. A chunk on the same stage has the data already. Tags tell
  // chunks and directions apart; both ends go through the micro-batches in the same order.
  void exchange(OperationKind kind, Pass pass, const PipelineSlot& slot, int other, int tag,
                std::int32_t layer) {
    if (stage_of(other) == stage_) return;
    const Bytes size = layer_of(layer).output;
    const Operation operation{.kind = kind,
                              .pass = pass,
                              .layer = layer,
                              .iteration = iteration_,
                              .message = {parts_[stage_of(other)], static_cast<std::uint32_t>(tag), size},
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
    for (std::int32_t layer = first; layer < end; ++layer) {
      if (store_) store_->pull(graph_, layer);
      compute(Pass::forward, layer, slot);
    }
    if (chunk + 1 < plan_.shape.chunks())
      exchange(OperationKind::send, Pass::forward, slot, chunk + 1, 2 * (chunk + 1), end - 1);
  }

  void backward(const PipelineSlot& slot) {
    const int chunk = chunk_of(slot);
    const auto [first, end] = plan_.chunks[chunk];
    const bool is_last = slot.micro_batch == plan_.shape.last_backward_micro_batch();
    if (chunk + 1 < plan_.shape.chunks())
      exchange(OperationKind::receive, Pass::input_gradient, slot, chunk + 1, 2 * chunk + 1, end - 1);
    for (std::int32_t layer = end; layer-- > first;) {
      if (layer > 0) compute(Pass::input_gradient, layer, slot);
      compute(Pass::weight_gradient, layer, slot);
      if (is_last) reduce_gradients(layer);
    }
    if (chunk > 0)
      exchange(OperationKind::send, Pass::input_gradient, slot, chunk - 1, 2 * chunk - 1, first - 1);
  }

  void reduce_gradients(std::int32_t layer) {
    const LayerStep& step = layer_of(layer).weight_gradient;
    if (!step.collective || !step.communicates()) return;
    if (store_) return store_->push(graph_, layer, iteration_);
    exchanges_.push_back(graph_.beside({.kind = OperationKind::collective,
                                        .pass = Pass::weight_gradient,
                                        .layer = layer,
                                        .iteration = iteration_,
                                        .collective = {.kind = *step.collective,
                                                       .size = step.size,
                                                       .dimensions = plan_.others,
                                                       .root = step.root},
                                        .delay = layer_of(layer).delay}));
  }

  const PipelinePlan& plan_;
  const int stage_;
  const std::vector<std::uint32_t>& parts_;
  GradientStore* const store_;
  GraphBuilder graph_;
  std::vector<Id> exchanges_;  // of gradients in this step
  std::vector<Id> sends_;
  int iteration_ = 0;
};

}  // namespace

LogicalDimension pipeline_stages(const PipelineOptions& options, const Topology& topology) {
  const std::vector<LogicalDimension> dimensions = logical_dimensions(topology);
  if (options.dimension.empty()) return dimensions.back();
  std::vector<std::string_view> names;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::string& name = topology.dimensions[d].name;
    if (name == options.dimension) return dimensions[d];
    if (!name.empty()) names.push_back(name);
  }
  throw InputError(options.dimension_where, "the network has no dimension " + backquoted(options.dimension) +
                                                ", use " + alternatives(names));
}

std::vector<std::pair<std::int32_t, std::int32_t>> pipeline_chunks(const LayerTable& table, int stages) {
  const PipelineShape shape = shape_of(*table.pipeline, stages);
  const std::vector<LayerSegment> segments = segments_of(table);
  const auto chunks = static_cast<std::size_t>(shape.chunks());
  const std::vector<std::size_t> sizes = cut_into_chunks(segments, chunks);
  if (sizes.empty())
    throw InputError(
        table.pipeline->where,
        fmt::format(
            "{} stages{} need {} pieces, but these layers can be cut into {} at most; use "
            "fewer stages",
            stages,
            shape.virtual_stages > 1 ? fmt::format(" of {} virtual stages", shape.virtual_stages) : "",
            chunks, segments.size()));
  std::vector<std::pair<std::int32_t, std::int32_t>> result;
  std::int32_t next = 0;
  for (const std::size_t size : sizes) {
    const std::int32_t first = std::exchange(next, next + static_cast<std::int32_t>(size));
    result.emplace_back(first, next);
  }
  return result;
}

PipelinePlan plan_pipeline(const LayerTable& table, const Topology& topology, int passes,
                           const Dialect& dialect, const Scales& scales) {
  const LogicalDimension stages = pipeline_stages(*table.pipeline, topology);
  require_fits(table, stages.size, passes);
  DimensionSet others;
  for (std::size_t d = 0; d < topology.dimensions.size(); ++d)
    others[d] = static_cast<int>(d) != stages.physical;
  return {scaled(table, scales, dialect), shape_of(*table.pipeline, stages.size),
          pipeline_chunks(table, stages.size), others, passes};
}

ExecutionGraph stage_graph(const PipelinePlan& plan, int stage, const std::vector<std::uint32_t>& parts,
                           GradientStore* store) {
  return StageWriter(plan, stage, parts, store).write();
}

Program pipeline_program(const LayerTable& table, const Topology& topology, int passes,
                         const Dialect& dialect, const Scales& scales) {
  const LogicalDimension stages = pipeline_stages(*table.pipeline, topology);
  const PipelinePlan plan = plan_pipeline(table, topology, passes, dialect, scales);
  std::vector<std::uint32_t> parts(static_cast<std::size_t>(stages.size));
  std::iota(parts.begin(), parts.end(), 0U);

  const int npus = topology.npus();
  Program result;
  result.where = table.pipeline->where;
  result.communicators.push_back({"world", logical_dimensions(topology)});
  for (int stage = 0; stage < stages.size; ++stage) {
    ProgramPart part{fmt::format("stage {}", stage), stage_graph(plan, stage, parts, nullptr), {}};
    part.micro_batches_in_flight = micro_batches_in_flight(plan.shape, stage);
    for (int npu = 0; npu < npus; ++npu)
      if (stages.position(npu) == stage) part.ranks.push_back(RankId(npu));
    result.parts.push_back(std::move(part));
  }
  return result;
}

}  // namespace orrery::core
