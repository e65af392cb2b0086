// Checks experiments as far as that shows without simulating them.
#pragma once

#include <string>

#include "cli/inputs/input_kinds.hpp"

namespace orrery::core {

// Runs are put together, so that parts that do not fit each other are found, too. Returns what the experiment
// is, in words. Throws InputError where it cannot be read.
std::string check_experiment(const InputCheck& input);

}  // namespace orrery::core
