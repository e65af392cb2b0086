// Has Slurm simulate a sweep.
#pragma once

#include "cli/commands.hpp"
#include "cli/sweeps/sweep_flags.hpp"

namespace orrery::core {

// Submits what the store lacks of the sweep, and waits for it if asked to. Returns the exit code.
int sweep_on_slurm(const SweepFlags& flags, const CommandLine& written);

}  // namespace orrery::core
