#include "cli/sweeps/slurm_sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "base/text/utc_time.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweeps/read_sweep.hpp"
#include "cli/sweeps/slurm_wait.hpp"
#include "cli/sweeps/stop_signals.hpp"
#include "cli/sweeps/sweep_outcome.hpp"
#include "study/cluster/cut_sweep.hpp"
#include "study/cluster/job_folder.hpp"
#include "study/cluster/job_script.hpp"
#include "study/cluster/program.hpp"
#include "study/cluster/slurm.hpp"

namespace orrery::core {

namespace {

// Returns the flags that change what runs are, as the user gave them.
std::vector<std::string> flags_of_tasks(const SweepFlags& flags) {
  std::vector<std::string> words;
  for (const std::string& override : flags.overrides) words.push_back("--set=" + override);
  for (const std::string& plugin : flags.plugins.files()) words.push_back("--plugin=" + plugin);
  if (flags.network_model.word()) words.push_back("--network-model=" + *flags.network_model.word());
  if (flags.allow_out_of_memory) words.emplace_back("--allow-oom");
  if (!flags.fold) words.emplace_back("--fold=off");
  if (flags.any_version) words.emplace_back("--reuse-any-version");
  return words;
}

SweepJob job_of(const SweepFlags& flags, const ReadSweep& read, std::size_t tasks, int processors) {
  SweepJob job;
  job.name = read.runs->name();
  job.program = path_of_this_program();
  job.working_folder = std::filesystem::current_path().string();
  job.experiment = flags.file;
  job.flags = flags_of_tasks(flags);
  job.tasks = tasks;
  job.wishes = {flags.partition, flags.account, flags.time, processors, flags.array_limit};
  return job;
}

// Two jobs of one sweep would simulate the same runs.
void refuse_if_at_work(const JobFolder& folder, const SweepFlags& flags) {
  const std::optional<SubmittedJob> job = folder.job();
  if (!job) return;
  for (const std::string& number : {job->array, job->merging}) {
    if (number.empty()) continue;
    const auto tasks = tasks_of_job(number);
    if (!tasks)
      throw InputError({flags.file},
                       fmt::format("Slurm does not say whether job {} of this sweep has ended; try again "
                                   "when `squeue` works",
                                   number));
    if (std::ranges::any_of(*tasks, is_at_work, &SlurmTask::state))
      throw InputError({flags.file},
                       fmt::format("job {} of this sweep is still at work; wait for it, see --status, or end "
                                   "it with `scancel {}`",
                                   number, number));
  }
}

// Writes what a job needs into its folder. Returns the job, which has no numbers yet.
SubmittedJob write_job_folder(const SweepFlags& flags, const ReadSweep& read, const CutSweep& cut,
                              int processors, const JobFolder& folder) {
  SubmittedJob submitted;
  submitted.in_store = cut.in_store;
  submitted.processors = processors;
  for (const SweepPart& part : cut.parts) {
    submitted.runs.push_back(part.runs.size());
    submitted.seconds.push_back(part.seconds);
  }
  const SweepJob job = job_of(flags, read, cut.parts.size(), processors);
  folder.forget_job();
  folder.remove_logs();
  write_file_atomically(folder.parts(), text_of_parts(cut.parts, read.facts.sweep));
  write_file_atomically(folder.array_script(), array_script(job, folder));
  write_file_atomically(folder.merge_script(), merge_script(job, folder));
  return submitted;
}

void submit_job(SubmittedJob& job, const JobFolder& folder) {
  job.array = submit(folder.array_script());
  job.submitted = now_in_utc();
  folder.write(job);  // now, so that a job is known even if this program is killed
  job.merging = submit(folder.merge_script(), {"--dependency=afterany:" + job.array});
  folder.write(job);
}

void print_submission(const SweepFlags& flags, const ReadSweep& read, const SubmittedJob& job,
                      std::size_t measured) {
  std::size_t runs = 0;
  double longest = 0;
  for (std::size_t task = 0; task < job.tasks(); ++task) {
    runs += job.runs[task];
    longest = std::max(longest, job.seconds[task] / job.processors);
  }
  if (flags.json) {
    const nlohmann::ordered_json json{{"study", read.runs->name()}, {"store", read.store},
                                      {"job", job.array},           {"merging", job.merging},
                                      {"tasks", job.tasks()},       {"runs", runs},
                                      {"in_store", job.in_store},   {"seconds_of_longest_task", longest}};
    return print_json(json.dump(2) + "\n");
  }
  print(fmt::format(
      "{}: job {} simulates {} runs in {} tasks of up to about {}; the store has {} runs, {} of which were "
      "simulated here now\n",
      read.runs->name(), job.array, runs, job.tasks(), rough_time(longest), job.in_store, measured));
  print(fmt::format("job {} merges them into {}; --status says how far they are\n", job.merging, read.store));
}

// What is done before a job can be submitted.
struct PreparedSlurmSweep {
  std::unique_ptr<ReadSweep> read;
  std::unique_ptr<FolderLock> lock;  // of the job's folder
  CutSweep cut;
  SweepOutcome here;  // of the runs that were simulated to learn what they cost
};

PreparedSlurmSweep prepare(const SweepFlags& flags, const CommandLine& written, int processors) {
  PreparedSlurmSweep prepared;
  ProgressLine progress(std::filesystem::path(flags.file).stem().string());
  prepared.read = read_sweep(flags, written, progress);
  const ReadSweep& read = *prepared.read;
  SweepWishes wishes = wishes_of(flags, read);
  wishes.told = [&](const SweepProgress& so_far) {
    prepared.here.simulated = so_far.simulated;
    progress.begin(fmt::format("simulating runs to learn what they cost, {} so far", so_far.simulated));
  };
  make_folder_of_store(read.store);
  const JobFolder folder(read.store);
  refuse_if_at_work(folder, flags);
  prepared.lock = std::make_unique<FolderLock>(folder.path(), FolderLock::WhenTaken::refuse);
  merge_tasks(folder);
  CutWishes cut;
  cut.tasks = flags.tasks;
  cut.most_tasks = most_tasks_of_array();
  cut.processors = processors;
  prepared.cut = cut_sweep(
      *read.runs, [&] { return read.open(read.store); }, read.load, wishes, cut);
  return prepared;
}

}  // namespace

int sweep_on_slurm(const SweepFlags& flags, const CommandLine& written) {
  constexpr int most_processors = 1024;
  const int processors = checked(flags.cpus.value_or(1), 1, most_processors, "--cpus");
  if (!flags.dry_run) require_slurm();
  const StopSignals signals;
  PreparedSlurmSweep prepared;
  try {
    prepared = prepare(flags, written, processors);
  } catch (const Stopped&) {
    std::cerr << "stopped before a job was submitted\n";
    return StopSignals::exit_code;
  }
  const ReadSweep& read = *prepared.read;
  if (prepared.cut.parts.empty()) {
    prepared.here.runs = read.runs->size();
    prepared.here.reused = prepared.cut.in_store - prepared.here.simulated;
    prepared.here.complete = true;
    print_outcome(read.runs->name(), prepared.here, read.store, flags.json, "now");
    return success;
  }
  const JobFolder folder(read.store);
  SubmittedJob job = write_job_folder(flags, read, prepared.cut, processors, folder);
  if (flags.dry_run) {
    print(read_file_of_any_kind(folder.array_script()));
    return success;
  }
  submit_job(job, folder);
  prepared.lock.reset();
  if (flags.wait) return wait_for_slurm(flags, read, folder, job, prepared.here.simulated);
  print_submission(flags, read, job, prepared.here.simulated);
  return success;
}

}  // namespace orrery::core
