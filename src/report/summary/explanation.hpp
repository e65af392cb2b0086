// Explains to people how a run was simulated: what was folded and what was not, and why.
#pragma once

#include <string>

#include "simulate/run/simulation.hpp"

namespace orrery::core {

// Returns the explanation as lines that end in a line break.
std::string explanation(const std::string& name, const Machine& machine, const CollectiveSurvey& survey,
                        const Recording& recording);

}  // namespace orrery::core
