// What the time of a stage goes to, in a program whose collectives within layers are nodes.
#pragma once

#include <array>

#include "program/program.hpp"
#include "simulate/recording.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery {

struct StageTimes {
  Time compute;
  std::array<Time, axis_count> exposed{};  // waiting for collectives along an axis
};

// Returns how long the operations take that hide what the stage's end waits for; zero where none do.
Time hidden_at_end(const ProgramPart& part, const PartRecording& recording);

// `part` must be one of training_program()'s with blocks.
StageTimes stage_times(const ProgramPart& part, const PartRecording& recording);

}  // namespace orrery
