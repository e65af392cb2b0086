// Simulates a training step of a transformer on its platform.
#pragma once

#include "report/training_result.hpp"
#include "simulate/machine.hpp"

namespace orrery {

// Returns the machine that a platform is, without a network of its own: its library carries out collectives
// and messages.
Machine platform_machine(const TrainingSetup& setup);

// The plan must be one that errors_of_plan() has nothing against. training_step_end() gives the same step in
// a fraction of the time, and nothing else.
TrainingResult simulate_training_step(const TrainingSetup& setup);

}  // namespace orrery
