// orrery sweep: simulates the runs of an experiment's sweep, and keeps them in a store.
#include <memory>

#include "cli/commands.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/sweeps/local_sweep.hpp"
#include "cli/sweeps/slurm_status.hpp"
#include "cli/sweeps/slurm_sweep.hpp"
#include "cli/sweeps/sweep_flags.hpp"

namespace orrery::core {

Command add_sweep_command(CLI::App& command) {
  auto flags = std::make_shared<SweepFlags>();
  add_sweep_flags(command, *flags);
  return [flags](const CommandLine& written) {
    require_output_folder(flags->output);
    check_sweep_flags(*flags);
    if (flags->status) return show_status(*flags, written);
    return flags->slurm ? sweep_on_slurm(*flags, written) : sweep_here(*flags, written);
  };
}

}  // namespace orrery::core
