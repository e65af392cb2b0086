// The runs of an experiment as CSV files. docs/outputs.md lists the columns.
#pragma once

#include <string>
#include <vector>

#include "report/summary.hpp"

namespace orrery {

// runs.csv: a line per run; of one that failed, its name alone.
std::string runs_csv(const std::vector<Summary>& runs);

// layers.csv: a line per layer of each run that succeeded.
std::string layers_csv(const std::vector<Summary>& runs);

}  // namespace orrery
