// A lower bound of the time of a training step, found without simulating it.
#pragma once

#include "workload/training/stages/stage_cost.hpp"

namespace orrery::core {

// Returns a time that is never more than that of the simulated step. A stage begins when a micro-batch's
// forward pass has come through the stages before it, computes all its micro-batches, and sends its last
// backward pass back through them. Messages and exchanges of gradients are left out.
Seconds min_step_time(const TrainingSetup& setup, const StageCosts& costs);

}  // namespace orrery::core
