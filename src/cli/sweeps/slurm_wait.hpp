// Waits for a job of Slurm that simulates a sweep.
#pragma once

#include <cstddef>

#include "cli/sweeps/read_sweep.hpp"
#include "cli/sweeps/sweep_flags.hpp"
#include "study/cluster/job_folder.hpp"

namespace orrery::core {

// Shows how far the tasks are until all have ended, merges their stores, and prints what came of the sweep.
// So many runs were simulated here before. Returns the exit code.
int wait_for_slurm(const SweepFlags& flags, const ReadSweep& read, const JobFolder& folder,
                   const SubmittedJob& job, std::size_t simulated_here);

}  // namespace orrery::core
