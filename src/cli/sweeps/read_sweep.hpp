// Reads the experiment of a sweep, and finds its store.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file_loader.hpp"
#include "cli/commands.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweeps/sweep_flags.hpp"
#include "study/experiment/swept_runs.hpp"
#include "study/store/run_store.hpp"
#include "study/sweep/sweep.hpp"

namespace orrery::core {

// A sweep with what is needed to simulate it.
struct ReadSweep {
  explicit ReadSweep(FileLoader loader) : load(std::move(loader)) {}

  FileLoader load;
  std::vector<std::string> plugins;  // their files
  std::unique_ptr<SweptRuns> runs;
  StudyFacts facts;
  std::string store;              // path of the file
  std::string experiment_folder;  // in which the experiment lies

  // Opens a store of this sweep: its own one, or that of a part. Throws InputError.
  std::unique_ptr<RunStore> open(const std::string& path) const;
};

// Reads the experiment, checks it and prints warnings. Throws InputError.
std::unique_ptr<ReadSweep> read_sweep(const SweepFlags& flags, const CommandLine& written,
                                      ProgressLine& progress);

// Returns what the flags say of how the runs are simulated, and of which ones.
SweepWishes wishes_of(const SweepFlags& flags, const ReadSweep& read);

}  // namespace orrery::core
