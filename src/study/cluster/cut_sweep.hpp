// Cuts what a store lacks of a sweep into parts for the tasks of a cluster.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/files/file_loader.hpp"
#include "study/cluster/sweep_parts.hpp"
#include "study/experiment/swept_runs.hpp"
#include "study/store/run_store.hpp"
#include "study/sweep/sweep.hpp"

namespace orrery::core {

// Opens the store of the sweep. It is closed again when it is not used, so that others may read it.
using OpenStore = std::function<std::unique_ptr<RunStore>()>;

struct CutWishes {
  std::optional<std::size_t> tasks;  // as many as a user asks for
  std::size_t most_tasks = 1000;     // that an array may have
  int processors = 1;                // of each task
  double seconds = 10;               // for which runs are simulated here to learn what they cost
};

struct CutSweep {
  std::vector<SweepPart> parts;  // none where the store lacks nothing
  std::size_t in_store = 0;      // runs of the sweep that the store has
};

// Simulates some runs here, among which each value of each key is, unless the store has such, and estimates
// by them what the others cost (RunCosts). The runs that are simulated here stay in the store. What `sweep`
// says holds for them, and says which runs are asked for. Throws InputError where there may not be as many
// tasks, and Stopped where `sweep` is to stop.
CutSweep cut_sweep(const SweptRuns& runs, const OpenStore& open, const FileLoader& load,
                   const SweepWishes& sweep, const CutWishes& wishes);

}  // namespace orrery::core
