// Several runs side by side, as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "report/summary.hpp"

namespace orrery {

// A table with a line per run and a bar that shows compute against exposed communication; then, where runs
// train the same layers, which is faster and why. `unicode` draws with block characters, else with ASCII.
std::string comparison_report(const std::vector<Summary>& runs, bool unicode);

// One run in a screen: times, shares, the worst layers.
std::string run_report(const Summary& run, bool unicode);

}  // namespace orrery
