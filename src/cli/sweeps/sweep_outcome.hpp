// Says what came of a sweep.
#pragma once

#include <string>

#include "study/sweep/sweep.hpp"

namespace orrery::core {

// Prints it, as JSON if asked for: how many runs were simulated, the best one for each objective, and why
// runs failed. `simulated_where` follows "simulated", such as "now".
void print_outcome(const std::string& name, const SweepOutcome& outcome, const std::string& store, bool json,
                   const std::string& simulated_where);

}  // namespace orrery::core
