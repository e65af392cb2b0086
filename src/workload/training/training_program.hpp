// A training step of a transformer: an execution graph per stage of the pipeline.
//
// stage_walk.hpp says what a stage does and in which order.
#pragma once

#include "program/program.hpp"
#include "workload/training/stage_cost.hpp"

namespace orrery {

// Throws InputError if the step has more micro-batches than can be simulated.
void require_training_program_fits(const TrainingSetup& setup);

// Returns the program of the step; throws as above. `duration` of a collective is the time that it takes.
// Messages have no size: StageCosts gives the times that they take.
Program training_program(const TrainingSetup& setup, const StageCosts& costs);

}  // namespace orrery
