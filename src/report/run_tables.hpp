// The runs of an experiment as CSV files. docs/outputs.md lists the columns.
#pragma once

#include <string>
#include <vector>

#include "report/summary.hpp"

namespace orrery {

// runs.csv: a line per run; of one that failed, its name alone.
std::string runs_csv(const std::vector<Summary>& runs);
std::string runs_csv_title();
std::string runs_csv_line(const Summary& run);

// layers.csv: a line per layer of each run that succeeded.
std::string layers_csv(const std::vector<Summary>& runs);
std::string layers_csv_title();
std::string layers_csv_lines(const Summary& run);

}  // namespace orrery
