// Finds how far apart ranks get that do not wait for each other.
#pragma once

#include "program/program.hpp"
#include "simulate/run/simulation.hpp"

namespace orrery::core {

// Returns the most training steps that a part had done more than another when it started one. Its steps are
// counted by the ends of backward passes.
int largest_staleness(const Program& program, const Recording& recording);

}  // namespace orrery::core
