// Says in which order the stages of a pipeline compute their micro-batches (docs/models/training-loops.md,
// Pipelines).
//
//   GPipe           all forward passes, then all backward passes       first micro-batch first
//   GPipe reversed  the same, last micro-batch first                   Huang et al., 2019, figure 2c
//   1F1B            stage i runs p - 1 - i forward passes ahead, then  Narayanan et al., PipeDream, 2019
//                   one forward and one backward pass in turn
//   interleaved     1F1B with v chunks of the model on each stage      Narayanan et al., Megatron-LM, 2021
//
// With p stages, m micro-batches, equal stages and free communication, stages idle for (p - 1) / m of the
// time for which they compute, or with interleaving for (p - 1) / (m v).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

enum class PipelineSchedule : std::uint8_t {
  gpipe,
  gpipe_reversed,
  one_forward_one_backward,
  interleaved,
  forward_only,  // of inference, which nobody names
};

inline constexpr std::array<EnumName<PipelineSchedule>, 4> pipeline_schedule_words{{
    {"gpipe", PipelineSchedule::gpipe},
    {"gpipe-reversed", PipelineSchedule::gpipe_reversed},
    {"1f1b", PipelineSchedule::one_forward_one_backward},
    {"interleaved", PipelineSchedule::interleaved},
}};

// Returns whether a stage is through with all forward passes before its first backward pass, so that it keeps
// what these need of every micro-batch.
constexpr bool keeps_all_micro_batches(PipelineSchedule schedule) {
  return schedule == PipelineSchedule::gpipe || schedule == PipelineSchedule::gpipe_reversed;
}

struct PipelineShape {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int stages = 1;
  int micro_batches = 1;   // of one training step; with interleaved schedules a multiple of the stages
  int virtual_stages = 1;  // chunks of the model on each stage; more than one only when interleaved

  // Returns the number of chunks of the model. Chunk c is on stage c % stages.
  int chunks() const { return stages * virtual_stages; }
  // Returns the micro-batch whose backward pass is a chunk's last one in a training step: then the gradients
  // of the chunk are complete.
  int last_backward_micro_batch() const {
    return schedule == PipelineSchedule::gpipe_reversed ? 0 : micro_batches - 1;
  }
};

// One pass of one micro-batch through one of the stage's chunks.
struct PipelineSlot {
  bool backward = false;
  int micro_batch = 0;
  int virtual_stage = 0;

  bool operator==(const PipelineSlot&) const = default;
};

// Returns the number of passes of a stage in one step: 2 * micro_batches * virtual_stages, or half of that
// where no backward passes follow.
int pipeline_passes(const PipelineShape& shape);
// Returns the k-th pass of a stage in one step.
PipelineSlot pipeline_slot(const PipelineShape& shape, int stage, int k);
// Returns all of them, in order.
std::vector<PipelineSlot> pipeline_slots(const PipelineShape& shape, int stage);

// Returns the most micro-batches whose forward pass a stage has done and whose backward pass it has not, as a
// multiple of the stage's layers: a virtual stage holds a part of these.
double micro_batches_in_flight(const PipelineShape& shape, int stage);

}  // namespace orrery::core
