// Sums up what ranks that issue in slots spend their time on (docs/models/reports.md, Ranks that issue in
// slots).
#pragma once

#include "report/summary.hpp"

namespace orrery {

// Adds times, layers and parts to the summary of such a run. The names of operations stand for layers.
void add_slots(Summary& summary, const Program& program, const Recording& recording);

}  // namespace orrery
