// Finds the inputs in which two earlier runs differ.
#pragma once

#include <vector>

#include "base/file.hpp"
#include "report/run_changes.hpp"
#include "report/stored_runs.hpp"

namespace orrery {

// Returns properties of the runs, keys of their experiments and files that they read. Keys are known where
// the files of the experiments have not changed, or where both are runs of one experiment.
std::vector<InputChange> input_changes(const StoredRun& before, const StoredRun& after,
                                       const FileLoader& load = read_text_file);

}  // namespace orrery
