#include "cli/sweeps/slurm_wait.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "base/diagnostics/printable.hpp"
#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweeps/stop_signals.hpp"
#include "cli/sweeps/sweep_outcome.hpp"
#include "study/cluster/slurm.hpp"
#include "study/cluster/sweep_parts.hpp"

namespace orrery::core {

namespace {

// Pauses between questions to Slurm, whose controller others need, too: a second at first, and later ten.
class PollingPauses {
 public:
  // Returns false where the program is to stop.
  bool pause() {
    using Clock = std::chrono::steady_clock;
    constexpr double growth = 1.15, longest = 10;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds_);
    while (Clock::now() < end && !StopSignals::asked())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    seconds_ = std::min(seconds_ * growth, longest);
    return !StopSignals::asked();
  }

 private:
  double seconds_ = 1;
};

// The states in which tasks were seen last. Slurm forgets tasks that ended a while ago.
using LastStates = std::map<std::size_t, std::string>;

// Returns whether all tasks have ended. Where Slurm does not answer they have not.
bool have_ended(const std::string& job, LastStates& states) {
  const auto tasks = tasks_of_job(job);
  if (!tasks) return false;
  for (const SlurmTask& task : *tasks) states[task.number] = task.state;
  return std::ranges::none_of(*tasks, is_at_work, &SlurmTask::state);
}

// Returns false where the program is to stop.
bool wait_until_ended(const JobFolder& folder, const SubmittedJob& job, LastStates& states,
                      ProgressLine& progress) {
  const std::size_t runs = std::accumulate(job.runs.begin(), job.runs.end(), job.in_store);
  PollingPauses pauses;
  while (!have_ended(job.array, states)) {
    TaskProgress all{job.in_store, 0};
    for (std::size_t task = 1; task <= job.tasks(); ++task) {
      const TaskProgress one = folder.progress_of(task);
      all.done += one.done;
      all.failed += one.failed;
    }
    progress.set_steps(all.done, runs, "runs", all.failed);
    if (!pauses.pause()) return false;
  }
  // What the other job would do is done here, where its turn in the queue need not be waited for.
  cancel_if_pending(job.merging);
  LastStates of_merging;
  while (!have_ended(job.merging, of_merging))
    if (!pauses.pause()) return false;
  return true;
}

// Says which tasks have left runs, and how to go on.
void print_what_is_left(const std::vector<std::size_t>& left, const ReadSweep& read, const JobFolder& folder,
                        const SubmittedJob& job, const LastStates& states) {
  constexpr std::size_t most_told = 5;
  const std::string text = read_file_of_any_kind(folder.parts());
  std::size_t tasks = 0;
  for (std::size_t task = 1; task <= job.tasks(); ++task) {
    const RunNumbers part = part_in(text, folder.parts(), task, read.facts.sweep);
    const auto count = std::ranges::count_if(left, [&](std::size_t run) { return part.contains(run); });
    if (count == 0 || ++tasks > most_told) continue;
    const auto state = states.find(task);
    std::cerr << printable_lines(
        fmt::format("task {} of job {} ({}) has left {} of its {} runs; {} has its output\n", task, job.array,
                    state == states.end() ? "ended" : state->second, count, part.size(),
                    (folder.path() / fmt::format("part-{}.log", task)).string()));
  }
  if (tasks > most_told) std::cerr << fmt::format("{} more tasks have left runs\n", tasks - most_told);
  std::cerr << fmt::format("{} runs are left; the same command goes on with them\n", left.size());
}

}  // namespace

int wait_for_slurm(const SweepFlags& flags, const ReadSweep& read, const JobFolder& folder,
                   const SubmittedJob& job, std::size_t simulated_here) {
  LastStates states;
  bool ended = false;
  {
    ProgressLine progress(std::filesystem::path(flags.file).stem().string());
    ended = wait_until_ended(folder, job, states, progress);
  }
  if (!ended) {
    std::cerr << fmt::format(
        "stopped waiting; job {} goes on, --status says how far it is, and `scancel {}` ends it\n", job.array,
        job.array);
    return StopSignals::exit_code;
  }
  std::vector<std::size_t> left;
  SweepWishes wishes = wishes_of(flags, read);
  wishes.reuse.failed = true;  // they were simulated just now
  {
    const FolderLock lock(folder.path(), FolderLock::WhenTaken::wait);
    merge_tasks(folder);
    left = missing_runs(*read.runs, *read.open(read.store), wishes);
  }
  const std::size_t submitted = std::accumulate(job.runs.begin(), job.runs.end(), std::size_t{0});
  SweepOutcome outcome;
  outcome.runs = submitted + job.in_store;
  outcome.simulated = submitted - std::min(left.size(), submitted) + simulated_here;
  outcome.reused = job.in_store - simulated_here;
  outcome.complete = left.empty();
  print_outcome(read.runs->name(), outcome, read.store, flags.json, "by job " + job.array);
  if (left.empty()) return success;
  print_what_is_left(left, read, folder, job, states);
  return bad_input;
}

}  // namespace orrery::core
