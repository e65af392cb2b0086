// Finds how far apart ranks get that do not wait for each other.
#pragma once

#include "simulate/parallel_simulation.hpp"
#include "workload/parallel_program.hpp"

namespace orrery {

// The most training steps that a part had done more than another when it started one. Its steps are counted
// by the ends of backward passes.
int largest_staleness(const ParallelProgram& program, const ParallelRecording& recording);

}  // namespace orrery
