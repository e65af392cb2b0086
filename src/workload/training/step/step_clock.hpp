// Computes when a training step ends, and nothing else about it.
//
// A stage does one thing after another (stage_walk.hpp), and stages interact only through messages. So the
// end is a recurrence of sums and maxima over the passes. It is the same picosecond as that of the program's
// simulation (training_program.hpp), but takes a few nanoseconds a pass and needs no graph.
#pragma once

#include "base/units/time.hpp"
#include "workload/training/stages/stage_cost.hpp"

namespace orrery::core {

Time training_step_end(const TrainingSetup& setup, const StageCosts& costs);

}  // namespace orrery::core
