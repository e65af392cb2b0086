// Says how far a sweep is that Slurm simulates.
#pragma once

#include "cli/commands.hpp"
#include "cli/sweeps/sweep_flags.hpp"

namespace orrery::core {

// Prints it and changes nothing. Returns the exit code.
int show_status(const SweepFlags& flags, const CommandLine& written);

}  // namespace orrery::core
