// The program of one stage of a pipeline.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/execution_graph.hpp"
#include "workload/pipeline/pipeline_schedule.hpp"

namespace orrery {

// A layer's times and sizes for one micro-batch, scaled.
struct PipelineLayer {
  Time forward, input_gradient, weight_gradient;
  std::optional<CollectiveRequest> gradients;  // once in a training step
  Time delay;                                  // after that collective
  Bytes output;                                // bytes sent to the next layer, and of the gradient sent back
};

// The part of the program that is the same for all stages.
struct PipelinePlan {
  PipelineShape shape;
  std::vector<std::pair<std::int32_t, std::int32_t>> chunks;  // layers of each: first, one past the last
  std::vector<PipelineLayer> layers;
  std::vector<std::string> names;  // of the layers
  int passes = 1;                  // training steps
};

ExecutionGraph stage_program(const PipelinePlan& plan, int stage);

}  // namespace orrery
