// A training step of a transformer: an execution graph per stage of the pipeline.
//
// A pass of a micro-batch through a chunk is one operation, since it takes the same each time
// (stage_cost.hpp); in the last micro-batch the backward pass is cut where buckets of gradients are full,
// whose exchange then runs beside it. Messages between stages are waited for by who needs them. At the end:
// exchanges, the update of the weights, and what is gathered after it.
#pragma once

#include "workload/parallel_program.hpp"
#include "workload/training/stage_cost.hpp"

namespace orrery {

// Throws InputError if the step has more micro-batches than can be simulated.
void require_training_program_fits(const TrainingSetup& setup);

// The same, and else the program. `duration` of collectives is what they take. Messages have no size:
// StageCosts says what they take.
ParallelProgram training_program(const TrainingSetup& setup, const StageCosts& costs);

}  // namespace orrery
