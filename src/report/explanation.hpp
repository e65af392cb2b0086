// Explains to people how a run was simulated: what was folded and what was not, and why.
#pragma once

#include <string>

#include "simulate/simulation.hpp"
#include "workload/parallel_program.hpp"

namespace orrery {

// Returns the explanation as lines that end in a line break.
std::string explanation(const std::string& name, const Machine& machine, const CollectiveSurvey& survey,
                        const Recording& recording);

// Returns the same for a program whose ranks do different things.
std::string program_explanation(const std::string& name, const ParallelProgram& program);

}  // namespace orrery
