// A training step of a transformer: an execution graph per stage of the pipeline.
//
// stage_walk.hpp says what a stage does and in which order.
#pragma once

#include "program/program.hpp"
#include "workload/training/stage_cost.hpp"

namespace orrery {

// Throws InputError if the step has more micro-batches than can be simulated.
void require_training_program_fits(const TrainingSetup& setup);

// Returns the program of the step; throws as above. Collectives within the blocks of a transformer are part
// of the durations of its passes, as the setup's library has them.
Program training_program(const TrainingSetup& setup, const StageCosts& costs);

}  // namespace orrery
