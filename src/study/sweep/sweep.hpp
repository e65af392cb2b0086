// Simulates the runs of a sweep, and keeps them in a store.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "study/experiment/swept_runs.hpp"
#include "study/results/ended_run.hpp"
#include "study/store/run_store.hpp"
#include "study/sweep/run_numbers.hpp"

namespace orrery::core {

// How far a sweep is. Runs count that are asked for.
struct SweepProgress {
  std::size_t reused = 0;  // were in the store
  std::size_t simulated = 0;
  std::size_t failed = 0;  // of those that were simulated
};

struct SweepWishes {
  int threads = 1;
  bool fold = true;
  bool allow_out_of_memory = false;
  ReuseRules reuse;
  RunChoice takes;                     // which runs are asked for, by their numbers
  std::optional<SweepCondition> only;  // over the keys
  std::optional<std::size_t> most;     // runs that are simulated
  std::optional<double> seconds;       // after which no further run begins
  // Returns whether a run of this name writes reports of its own, and where. Empty: none does.
  std::function<std::string(const std::string& run)> report_folder;
  // Is called after each run, by one thread at a time.
  std::function<void(const SweepProgress& progress)> told;
  // Ends the sweep when it returns true: runs under way are given up. It may be called from several threads.
  // Empty: nothing ends it.
  std::function<bool()> stop;
  // Files on which all runs depend beside those that they read, such as plug-ins.
  std::vector<std::string> common_files;

  bool is_to_stop() const { return stop && stop(); }
};

struct SweepOutcome : SweepProgress {
  std::size_t runs = 0;   // of the sweep that were asked for
  bool complete = false;  // all of them are in the store
};

// Returns when every run that is asked for is in the store, or when it is to stop; runs that other processes
// simulate are waited for. Throws InputError where the store cannot be written: what it holds stays.
SweepOutcome simulate_sweep(const SweptRuns& runs, RunStore& store, const FileLoader& load,
                            const SweepWishes& wishes);

// Simulates runs one after the other, for a store that somebody else keeps. `inputs` remembers the content of
// files. Throws Stopped where it is to stop.
std::vector<EndedPoint> simulate_part(const SweptRuns& runs, const std::vector<std::size_t>& numbers,
                                      StudyInputs& inputs, const FileLoader& load, const SweepWishes& wishes);

// Returns the run of a number. `keys` is run_keys_of() the sweep.
PlacedPoint placed_point(const SweptRuns& runs, const RunKeys& keys, std::size_t number);

// Returns the numbers of the runs that are asked for and that the store lacks, or which depend on something
// that has changed. Rows of the others have the numbers and names of this sweep from now on.
std::vector<std::size_t> missing_runs(const SweptRuns& runs, RunStore& store, const SweepWishes& wishes);

// Returns what makes keys of the sweep's runs. `allow_out_of_memory` changes results, and so is part of them.
RunKeys run_keys_of(const SweptRuns& runs, bool allow_out_of_memory);

// Returns what a store says of the sweep. `origin` is that of Experiment.
StudyFacts facts_of(const SweptRuns& runs, const Origin& origin, bool allow_out_of_memory);

}  // namespace orrery::core
