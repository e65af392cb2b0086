// Finds the training whose layouts are searched.
#pragma once

#include <string>

#include "study/experiment/experiment.hpp"
#include "workload/training/layout_space.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Returns the training of an experiment's only run. `document` is that of the experiment, and `file` is its
// place. Throws InputError where there are several runs, and where the run trains no transformer.
const TrainingSetup& searched_training(const Experiment& experiment, const InputNode& document,
                                       const std::string& file);

// Throws InputError where the run has a network that layouts of this space may not fill. `asked` is the name
// of the option that says how many GPUs they have.
void require_whole_network(const RunSpec& run, const LayoutSpace& space, const std::string& asked);

}  // namespace orrery::core
