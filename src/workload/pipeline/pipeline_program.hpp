// Makes the program of a network that is trained as a pipeline: an execution graph per stage.
//
// A stage computes its micro-batches in the order of its schedule. It waits for what comes in, computes its
// layers, and sends on what goes out when the whole pass through a chunk is done; sending overlaps with what
// it computes next. After the last backward pass of a chunk, each layer's gradients are exchanged among the
// ranks of the stage while the backward pass goes on. The next training step starts when they are there.
// Optimizer steps take no time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program/program.hpp"
#include "topology/logical_dimension.hpp"
#include "workload/astra1/gradient_store.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/astra1/scaling.hpp"

namespace orrery::core {

// Returns the dimension whose NPUs are the stages. Throws InputError when the network has none of that name.
LogicalDimension pipeline_stages(const PipelineOptions& options, const Topology& topology);

// Returns the layers of each chunk of the model: the first one, and the one after the last. Throws InputError
// when there are fewer places to cut than chunks, or the schedule cannot run so many micro-batches.
std::vector<std::pair<std::int32_t, std::int32_t>> pipeline_chunks(const LayerTable& table, int stages);

// The part of the program that is the same for all stages.
struct PipelinePlan {
  LayerTable table;  // scaled; of one micro-batch
  PipelineShape shape;
  std::vector<std::pair<std::int32_t, std::int32_t>> chunks;  // layers of each: first, one past the last
  DimensionSet others;  // of the network, whose ranks are on the same stage
  int passes = 1;       // training steps
};

// Throws InputError as pipeline_program() does.
PipelinePlan plan_pipeline(const LayerTable& table, const Topology& topology, int passes,
                           const Dialect& dialect, const Scales& scales);

// Returns what a stage does. `parts` are the parts of the program that the stages are. Gradients are
// exchanged through `store`, or by collectives if it is null.
ExecutionGraph stage_graph(const PipelinePlan& plan, int stage, const std::vector<std::uint32_t>& parts,
                           GradientStore* store);

// Returns the program, which has a part per stage. The table has to have a pipeline; its times and outputs
// are those of one micro-batch. Throws InputError when the network has no such dimension, or there are fewer
// places to cut than chunks.
Program pipeline_program(const LayerTable& table, const Topology& topology, int passes,
                         const Dialect& dialect, const Scales& scales);

}  // namespace orrery::core
