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

// A micro-batch is computed in three steps by each layer, and is sent and received by each chunk, there and
// back.
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

Program pipeline_program(const LayerTable& table, const Topology& topology, int passes,
                         const Dialect& dialect, const Scales& scales) {
  const LogicalDimension stages = pipeline_stages(*table.pipeline, topology);
  require_fits(table, stages.size, passes);
  DimensionSet others;
  for (std::size_t d = 0; d < topology.dimensions.size(); ++d)
    others[d] = static_cast<int>(d) != stages.physical;

  PipelinePlan plan;
  plan.shape = shape_of(*table.pipeline, stages.size);
  plan.passes = passes;
  for (const Layer& layer : table.layers) {
    plan.layers.push_back(scaled_layer(layer, others, dialect, scales));
    plan.names.push_back(layer.name);
  }
  plan.chunks = pipeline_chunks(table, stages.size);

  const int npus = topology.npus();
  Program result;
  result.where = table.pipeline->where;
  result.communicators.push_back({"world", logical_dimensions(topology)});
  for (int stage = 0; stage < stages.size; ++stage) {
    ProgramPart part{fmt::format("stage {}", stage), stage_program(plan, stage), {}};
    part.micro_batches_in_flight = micro_batches_in_flight(plan.shape, stage);
    for (int npu = 0; npu < npus; ++npu)
      if (stages.position(npu) == stage) part.ranks.push_back(static_cast<std::uint32_t>(npu));
    result.parts.push_back(std::move(part));
  }
  return result;
}

}  // namespace orrery
