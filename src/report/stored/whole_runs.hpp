// Reads everything back that summary.json tells of runs, for programs that go on with them. Comparisons need
// less (stored_runs.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/stored/stored_runs.hpp"

namespace orrery::core {

struct WholeRun {
  StoredRun stored;  // as it is compared
  Summary summary;   // with all that is told; layers are missing where there are very many
  std::string json;  // the run's part of the file
};

struct WholeRuns {
  std::string experiment;  // name; empty: the summary is of a single run without an experiment
  std::vector<WholeRun> runs;
};

// Throws InputError where the text is no such file. `file` is for messages.
WholeRuns read_whole_runs(std::string_view text, const std::string& file);

}  // namespace orrery::core
