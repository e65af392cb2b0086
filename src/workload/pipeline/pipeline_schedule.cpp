#include "workload/pipeline/pipeline_schedule.hpp"

#include <algorithm>

namespace orrery {

namespace {

// The k-th forward pass of a stage: groups of `stages` micro-batches go through one chunk after the other.
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

// Forward passes before the first backward pass, besides the one right in front of it.
int warm_up(const PipelineShape& shape, int stage) {
  const int behind = shape.stages - 1 - stage;
  const int passes = shape.micro_batches * shape.virtual_stages;
  switch (shape.schedule) {
    case PipelineSchedule::gpipe:
      return passes;
    case PipelineSchedule::one_forward_one_backward:
      return std::min(passes, behind);
    case PipelineSchedule::interleaved:
      return std::min(passes, 2 * behind + (shape.virtual_stages - 1) * shape.stages);
  }
  return 0;
}

}  // namespace

std::vector<PipelineSlot> pipeline_slots(const PipelineShape& shape, int stage) {
  const int passes = shape.micro_batches * shape.virtual_stages;
  const bool groups = shape.schedule == PipelineSchedule::interleaved;
  std::vector<PipelineSlot> slots;
  const auto forward = [&](int k) {
    slots.push_back(groups ? forward_slot(shape, k) : PipelineSlot{false, k, 0});
  };
  const auto backward = [&](int k) {
    slots.push_back(groups ? backward_slot(shape, k) : PipelineSlot{true, k, 0});
  };
  int forwards = 0, backwards = 0;
  while (forwards < warm_up(shape, stage)) forward(forwards++);
  while (forwards < passes) {
    forward(forwards++);
    backward(backwards++);
  }
  while (backwards < passes) backward(backwards++);
  return slots;
}

int most_in_flight(const std::vector<PipelineSlot>& slots) {
  int now = 0, most = 0;
  for (const PipelineSlot& slot : slots) {
    now += slot.backward ? -1 : 1;
    most = std::max(most, now);
  }
  return most;
}

}  // namespace orrery
