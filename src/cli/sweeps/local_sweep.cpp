#include "cli/sweeps/local_sweep.hpp"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/database/database.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweeps/read_sweep.hpp"
#include "cli/sweeps/stop_signals.hpp"
#include "cli/sweeps/sweep_outcome.hpp"
#include "study/cluster/job_folder.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

// Opens the store, or the spare one where another machine has the store. `path` becomes that of the one that
// is open.
std::unique_ptr<RunStore> open_store(const SweepFlags& flags, const ReadSweep& read, std::string& path) {
  make_folder_of_store(path);
  try {
    return read.open(path);
  } catch (const FileInUse&) {
    if (flags.spare_store.empty()) throw;
    path = flags.spare_store;
    make_folder_of_store(path);
    return read.open(path);
  }
}

// Says now and then how far a task is. Nothing depends on it, so that it does not matter where it cannot be
// written.
class ToldProgress {
 public:
  explicit ToldProgress(std::string store) : store_(std::move(store)) {}

  void tell(const SweepProgress& so_far) {
    constexpr auto pause = std::chrono::seconds(2);
    const auto now = std::chrono::steady_clock::now();
    if (last_ != std::chrono::steady_clock::time_point() && now - last_ < pause) return;
    last_ = now;
    write_task_progress(store_, {so_far.reused + so_far.simulated, so_far.failed});
  }
  // Says what the store holds when it is closed.
  void tell_end() const {
    StoredStudy study(store_);
    write_task_progress(store_, {study.count({}), study.failed_runs()});
  }

 private:
  std::string store_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace

int sweep_here(const SweepFlags& flags, const CommandLine& written) {
  SweepOutcome outcome;
  std::unique_ptr<ReadSweep> read;
  std::string path;
  {
    ProgressLine progress(std::filesystem::path(flags.file).stem().string());
    read = read_sweep(flags, written, progress);
    SweepWishes wishes = wishes_of(flags, *read);
    path = read->store;
    const std::unique_ptr<RunStore> store = open_store(flags, *read, path);
    ToldProgress told(path);
    wishes.told = [&](const SweepProgress& so_far) {
      progress.set_steps(so_far.reused + so_far.simulated, read->runs->size(), "runs", so_far.failed);
      if (flags.part) told.tell(so_far);
    };
    const StopSignals signals;
    outcome = simulate_sweep(*read->runs, *store, read->load, wishes);
  }
  if (flags.part) ToldProgress(path).tell_end();
  print_outcome(read->runs->name(), outcome, path, flags.json, "now");
  if (!StopSignals::asked()) return success;
  std::cerr << "stopped; the same command goes on where this one was\n";
  return StopSignals::exit_code;
}

}  // namespace orrery::core
