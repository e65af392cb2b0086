// Simulates a sweep on this machine.
#pragma once

#include "cli/commands.hpp"
#include "cli/sweeps/sweep_flags.hpp"

namespace orrery::core {

// Returns the exit code. A task of a cluster also says in a file beside its store how far it is.
int sweep_here(const SweepFlags& flags, const CommandLine& written);

}  // namespace orrery::core
