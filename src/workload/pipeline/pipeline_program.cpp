#include "workload/pipeline/pipeline_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.hpp"
#include "workload/astra1/scaling.hpp"
#include "workload/pipeline/layer_chunks.hpp"
#include "workload/pipeline/stage_program.hpp"

namespace orrery {

namespace {

std::size_t pipeline_dimension(const PipelineOptions& options, const Topology& topology) {
  const auto& dimensions = topology.dimensions;
  if (options.dimension.empty()) return dimensions.size() - 1;
  std::vector<std::string_view> names;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d].name == options.dimension) return d;
    if (!dimensions[d].name.empty()) names.push_back(dimensions[d].name);
  }
  throw InputError(options.dimension_where, "the network has no dimension " + backquoted(options.dimension) +
                                                ", use " + alternatives(names));
}

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

PipelineLayer scaled_layer(const Layer& layer, const DimensionSet& dimensions, const Dialect& dialect,
                           const Scales& scales) {
  PipelineLayer result;
  result.forward = scaled(layer.forward.compute, scales.compute, dialect);
  result.input_gradient = scaled(layer.input_gradient.compute, scales.compute, dialect);
  result.weight_gradient = scaled(layer.weight_gradient.compute, scales.compute, dialect);
  result.delay = layer.delay;
  result.output = scaled(layer.output, scales.communication, dialect);
  const Bytes gradients = scaled(layer.weight_gradient.size, scales.communication, dialect);
  if (layer.weight_gradient.collective && gradients > Bytes(0))
    result.gradients = CollectiveRequest{*layer.weight_gradient.collective, gradients, dimensions, false};
  return result;
}

void set_chunks(PipelinePlan& plan, const LayerTable& table) {
  const std::vector<LayerSegment> segments = segments_of(table);
  const auto chunks = static_cast<std::size_t>(plan.shape.chunks());
  const std::vector<std::size_t> sizes = cut_into_chunks(segments, chunks);
  if (sizes.empty())
    throw InputError(
        table.pipeline->where,
        fmt::format("{} stages{} need {} pieces, but these layers can be cut into {} at most; use "
                    "fewer stages",
                    plan.shape.stages,
                    plan.shape.virtual_stages > 1
                        ? fmt::format(" of {} virtual stages", plan.shape.virtual_stages)
                        : "",
                    chunks, segments.size()));
  std::int32_t next = 0;
  for (const std::size_t size : sizes) {
    const std::int32_t first = std::exchange(next, next + static_cast<std::int32_t>(size));
    plan.chunks.emplace_back(first, next);
  }
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

}  // namespace

ParallelProgram pipeline_program(const LayerTable& table, const Topology& topology, int passes,
                                 const Dialect& dialect, const Scales& scales) {
  const std::size_t dimension = pipeline_dimension(*table.pipeline, topology);
  const LogicalDimension stages = logical_dimensions(topology)[dimension];
  DimensionSet others;
  for (std::size_t d = 0; d < topology.dimensions.size(); ++d) others[d] = d != dimension;

  PipelinePlan plan;
  plan.shape = shape_of(*table.pipeline, stages.size);
  plan.passes = passes;
  for (const Layer& layer : table.layers) {
    plan.layers.push_back(scaled_layer(layer, others, dialect, scales));
    plan.names.push_back(layer.name);
  }
  set_chunks(plan, table);

  const int npus = topology.npus();
  ParallelProgram result;
  result.where = table.pipeline->where;
  for (int stage = 0; stage < stages.size; ++stage) {
    ProgramPart part{fmt::format("stage {}", stage), stage_program(plan, stage), {}};
    part.micro_batches_in_flight =
        most_in_flight(pipeline_slots(plan.shape, stage)) / static_cast<double>(plan.shape.virtual_stages);
    for (int npu = 0; npu < npus; ++npu)
      if (stages.position(npu) == stage) part.ranks.push_back(static_cast<std::uint32_t>(npu));
    result.parts.push_back(std::move(part));
  }
  return result;
}

}  // namespace orrery
