// Finds the training whose layouts are searched.
#pragma once

#include <string>

#include "study/experiment/experiment.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Returns the training of an experiment's only run, on its platform alone. `document` is that of the
// experiment, and `file` is its place. Throws InputError where there are several runs, where the run trains
// no transformer, and where it has a network: layouts are estimated on the platform.
const TrainingSetup& searched_training(const Experiment& experiment, const InputNode& document,
                                       const std::string& file);

}  // namespace orrery::core
