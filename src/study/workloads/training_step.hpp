// Simulates a training step of a transformer on its platform.
#pragma once

#include "report/training_result.hpp"
#include "simulate/machine.hpp"

namespace orrery {

// Returns the machine of a platform without a network of its own. Its library carries out collectives and
// messages.
Machine platform_machine(const TrainingSetup& setup);

// The plan must be one for which errors_of_plan() returns nothing. training_step_end() gives only the end of
// the same step, in a fraction of the time.
TrainingResult simulate_training_step(const TrainingSetup& setup);

}  // namespace orrery
