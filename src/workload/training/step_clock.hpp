// When a training step ends, and nothing else of it.
//
// A stage does one thing after another (stage_walk.hpp), and stages interact through messages alone, so
// the end is a recurrence of sums and maxima over the passes: the same picosecond as that of the program's
// simulation (training_program.hpp), in a few nanoseconds a pass and without a graph.
#pragma once

#include "base/time.hpp"
#include "workload/training/stage_cost.hpp"

namespace orrery {

Time training_step_end(const TrainingSetup& setup, const StageCosts& costs);

}  // namespace orrery
