// Says what the time of a stage of a training step goes to.
#pragma once

#include <array>
#include <vector>

#include "program/program.hpp"
#include "report/recorded_classes.hpp"
#include "simulate/recording.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery {

struct StageTimes {
  Time compute;                            // time of operators and of the weights' update
  std::array<Time, axis_count> exposed{};  // time in which its passes wait for collectives along an axis
};

// Returns how long the operations take that hide what the stage's end waits for; zero where none do.
// `operations` are those of a rank of the part.
Time hidden_at_end(const ProgramPart& part, const std::vector<Interval>& operations);

// Returns when ranks of a class are ready for the next training step: what that hides is not waited for.
Time end_of_stage(const Program& program, const RecordedClass& of);
// Returns the class of ranks that is ready last.
RecordedClass last_of_step(const Program& program, const Recording& recording);
Time end_of_step(const Program& program, const Recording& recording);

// Reads it off what a rank did. `part` must be one of training_program()'s. What passes that are one node
// wait for collectives within layers counts as compute.
StageTimes stage_times(const ProgramPart& part, const std::vector<Interval>& operations);

}  // namespace orrery
