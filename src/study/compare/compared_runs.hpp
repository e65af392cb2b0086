// Lays runs side by side: what changes from the first of them to each of the others.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "report/compare/comparison.hpp"
#include "report/compare/run_changes.hpp"
#include "report/stored/stored_runs.hpp"

namespace orrery::core {

struct ComparedRuns {
  ComparisonReport overview;        // a line for each run
  std::vector<RunChanges> changes;  // from the first run to each of the others
};

// Requires at least one run. Experiments that the runs were of are read by `load`, as far as their files have
// not changed.
ComparedRuns compare_runs(const std::vector<StoredRun>& runs, const FileLoader& load);

// `unicode` draws with block characters, else with ASCII.
std::string text_of(const ComparedRuns& runs, bool unicode);
nlohmann::ordered_json to_json(const ComparedRuns& runs);

}  // namespace orrery::core
