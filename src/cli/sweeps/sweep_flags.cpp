#include "cli/sweeps/sweep_flags.hpp"

#include <initializer_list>

#include "cli/flags/flag_values.hpp"
#include "cli/flags/result_outputs.hpp"

namespace orrery::core {

namespace {

void add_choice_of_runs(CLI::App& command, SweepFlags& flags) {
  command.add_option("--limit", flags.limit, "End after so many runs, or a time such as 10min");
  command.add_option(
      "--only", flags.only,
      "Simulate only runs for which an expression over the keys is true, such as 'tensor == 8'");
  command.add_option("--shard", flags.shard,
                     "Simulate one of several equal parts, such as 2/8; each into a store of its own");
  command.add_option("--part", flags.part, "Simulate the part of this number, from 1, of those in --parts");
  command.add_option("--parts", flags.parts, "File in which each line lists the numbers of a part's runs");
  command.add_option("--spare-store", flags.spare_store,
                     "File for the runs where a process on another machine has that of --store");
}

void add_slurm_flags(CLI::App& command, SweepFlags& flags) {
  command.add_flag("--slurm", flags.slurm, "Simulate by a job array of Slurm");
  command.add_flag("--wait", flags.wait, "Return when all tasks of --slurm have ended");
  command.add_option("--partition", flags.partition, "Partition of Slurm (default: the cluster decides)");
  command.add_option("--account", flags.account, "Account of Slurm (default: the cluster decides)");
  command.add_option("--time", flags.time,
                     "Time limit of a task, as sbatch takes it (default: the cluster decides)");
  command.add_option("--cpus", flags.cpus,
                     "Processors of a task, which are as many runs at a time (default: 1)");
  command.add_option("--array-limit", flags.array_limit,
                     "Tasks of --slurm that run at the same time at most");
  command.add_option("--tasks", flags.tasks,
                     "Tasks of --slurm (default: so that each takes about ten minutes)");
  command.add_flag("--dry-run", flags.dry_run, "Write and print the script for --slurm, and submit nothing");
  command.add_flag("--status", flags.status,
                   "Say how far the sweep is that --slurm has submitted, and change nothing");
}

void refuse(const SweepFlags& flags, std::initializer_list<const char*> refused, const char* why) {
  for (const char* flag : refused)
    if (flags.is_given(flag)) throw InputError({flag}, why);
}

}  // namespace

void add_sweep_flags(CLI::App& command, SweepFlags& flags) {
  flags.command = &command;
  command.add_option("experiment", flags.file, "Experiment file with a `sweep`")->required();
  add_overrides(command, flags.overrides);
  flags.plugins.add_to(command);
  flags.network_model.add_to(command);
  command.add_option(
      "--store", flags.store,
      "File for the runs (default: the name of the experiment and .sqlite, in the output folder)");
  command.add_option("--output", flags.output, results_output_meaning);
  flags.threads = usual_threads();
  command.add_option("--threads", flags.threads, "Runs simulated at a time (default: one per core)");
  add_choice_of_runs(command, flags);
  command.add_option("--reports", flags.reports,
                     "Runs that write reports of their own: all, none or names with commas (default: none)");
  command.add_flag("--reuse-any-version", flags.any_version,
                   "Keep runs in the store that another version of Orrery has simulated");
  command.add_flag("--retry-failed", flags.retry_failed, "Simulate runs again that failed");
  add_allow_out_of_memory(command, flags.allow_out_of_memory);
  add_fold(command, flags.fold);
  command.add_flag("--json", flags.json, "Print what came of the sweep as JSON");
  add_slurm_flags(command, flags);
}

void check_sweep_flags(const SweepFlags& flags) {
  if (flags.part.has_value() == flags.parts.empty())
    throw InputError({flags.part ? "--part" : "--parts"},
                     "goes with the other one of --part and --parts; give both");
  if (flags.part) refuse(flags, {"--shard"}, "is another choice of runs than --part; leave one of them out");
  if (flags.slurm || flags.status)
    refuse(flags, {"--shard", "--part", "--spare-store"},
           "says what one task simulates, which --slurm decides by itself; leave one of them out");
  if (!flags.slurm)
    refuse(
        flags,
        {"--wait", "--partition", "--account", "--time", "--cpus", "--array-limit", "--tasks", "--dry-run"},
        "says something of a job of Slurm; give --slurm, too, or leave it out");
  if (flags.slurm)
    refuse(flags, {"--limit", "--reports"},
           "does not work on a cluster; leave it out there, or simulate on this machine without --slurm");
  if (flags.status)
    refuse(flags, {"--slurm"}, "submits a sweep, and --status changes nothing; leave one of them out");
  if (flags.dry_run)
    refuse(flags, {"--wait"}, "waits for a job, and --dry-run submits none; leave one of them out");
  if (flags.array_limit == 0u)
    throw InputError({"--array-limit"}, "is 0, so that no task would run; give 1 or more");
  if (flags.tasks == 0u)
    throw InputError({"--tasks"}, "is 0, so that nothing would be simulated; give 1 or more");
}

}  // namespace orrery::core
