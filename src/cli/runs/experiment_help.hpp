// Says which parameters of its machine would make each run of an experiment shorter.
#pragma once

#include <string>
#include <vector>

#include "cli/runs/experiment_run.hpp"
#include "study/experiment/experiment.hpp"

namespace orrery::core {

// Writes sensitivity.csv, about all runs that can be simulated, into the folder of the experiment's results.
// The experiment was read from `file` with `overrides`. Throws InputError when the file cannot be written.
void find_what_would_help(const Experiment& experiment, const std::string& file,
                          const std::vector<std::string>& overrides, const ExperimentOptions& options);

}  // namespace orrery::core
