// Says what the time of a stage of a training step goes to.
#pragma once

#include <array>

#include "program/program.hpp"
#include "simulate/recording.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery {

struct StageTimes {
  Time compute;                            // time of operators and of the weights' update
  std::array<Time, axis_count> exposed{};  // time in which its passes wait for collectives along an axis
};

// Returns how long the operations take that hide what the stage's end waits for. It is zero where no
// operations do.
Time hidden_at_end(const ProgramPart& part, const PartRecording& recording);

// Return when a part, or the last of all parts, is ready for the next training step. Waits that the next step
// hides do not count.
Time end_of_stage(const ProgramPart& part, const PartRecording& recording);
Time end_of_step(const Program& program, const Recording& recording);

// Returns the times that a recording shows. `part` must be one of training_program()'s with blocks, so that
// collectives within layers are operations.
StageTimes stage_times(const ProgramPart& part, const PartRecording& recording);

}  // namespace orrery
