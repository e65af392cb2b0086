// Finds the runs of an experiment that a user names.
#pragma once

#include <string>
#include <vector>

#include "study/experiment/experiment.hpp"

namespace orrery::core {

// Returns the runs that --run asks for, or all. Throws InputError where there is no run of a name.
std::vector<RunSpec> chosen_runs(const Experiment& experiment, const std::vector<std::string>& names);

}  // namespace orrery::core
