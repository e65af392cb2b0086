#include "workload/pipeline/pipeline_schedule.hpp"

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {

namespace {

// Returns the k-th forward pass of a stage: groups of `stages` micro-batches go through one chunk after the
// other.
PipelineSlot forward_slot(const PipelineShape& shape, int k) {
  const int group = k / shape.chunks();
  return {false, group * shape.stages + k % shape.stages, k % shape.chunks() / shape.stages};
}

PipelineSlot backward_slot(const PipelineShape& shape, int k) {
  PipelineSlot slot = forward_slot(shape, k);
  slot.backward = true;
  slot.virtual_stage = shape.virtual_stages - 1 - slot.virtual_stage;
  return slot;
}

// Returns the number of forward passes before the first backward pass, without the one right in front of it.
int warm_up(const PipelineShape& shape, int stage) {
  const int behind = shape.stages - 1 - stage;
  const int passes = shape.micro_batches * shape.virtual_stages;
  switch (shape.schedule) {
    case PipelineSchedule::gpipe:
    case PipelineSchedule::gpipe_reversed:
    case PipelineSchedule::forward_only:
      return passes;
    case PipelineSchedule::one_forward_one_backward:
      return std::min(passes, behind);
    case PipelineSchedule::interleaved:
      return std::min(passes, 2 * behind + (shape.virtual_stages - 1) * shape.stages);
  }
  unreachable("the warm-up of every schedule is known");
}

}  // namespace

int pipeline_passes(const PipelineShape& shape) {
  const int passes = shape.micro_batches * shape.virtual_stages;
  return shape.schedule == PipelineSchedule::forward_only ? passes : 2 * passes;
}

PipelineSlot pipeline_slot(const PipelineShape& shape, int stage, int k) {
  const int passes = shape.micro_batches * shape.virtual_stages, ahead = warm_up(shape, stage);
  const bool groups = shape.schedule == PipelineSchedule::interleaved;
  const auto forward = [&](int i) { return groups ? forward_slot(shape, i) : PipelineSlot{false, i, 0}; };
  const auto backward = [&](int i) {
    if (groups) return backward_slot(shape, i);
    return PipelineSlot{true, shape.schedule == PipelineSchedule::gpipe_reversed ? passes - 1 - i : i, 0};
  };
  if (k < ahead) return forward(k);
  const int in_turn = k - ahead;  // from here on forward and backward, while there are forward passes
  if (in_turn < 2 * (passes - ahead))
    return in_turn % 2 == 0 ? forward(ahead + in_turn / 2) : backward(in_turn / 2);
  return backward(k - passes);
}

std::vector<PipelineSlot> pipeline_slots(const PipelineShape& shape, int stage) {
  const int slots = pipeline_passes(shape);
  std::vector<PipelineSlot> all;
  all.reserve(static_cast<std::size_t>(slots));
  for (int k = 0; k < slots; ++k) all.push_back(pipeline_slot(shape, stage, k));
  return all;
}

// From the end of the warm-up on, each forward pass is followed by a backward pass.
double micro_batches_in_flight(const PipelineShape& shape, int stage) {
  if (shape.schedule == PipelineSchedule::forward_only) return 1;  // nothing is kept for later
  const int passes = shape.micro_batches * shape.virtual_stages;
  return std::min(passes, warm_up(shape, stage) + 1) / static_cast<double>(shape.virtual_stages);
}

}  // namespace orrery::core
