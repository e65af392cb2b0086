// The times that a training step of a transformer consists of, before they are put in order.
#pragma once

#include <vector>

#include "workload/training/stages/stage_cost.hpp"

namespace orrery::core {

// Returns what passes, updates, collectives and messages of all stages take, and what passes and collectives
// beside them cost each other. Passes of one chunk take the
// same time for each micro-batch, so only those of the last one are in it. Two trainings that differ only in
// the numbers of their machines and have the same times are the same. Requires that the library carries out
// the collectives.
std::vector<Seconds> times_of_training(const TrainingSetup& setup);

}  // namespace orrery::core
