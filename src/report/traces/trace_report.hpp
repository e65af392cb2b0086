// The output of a run of traces: what it prints and the files it leaves behind.
#pragma once

#include <string>

#include "report/traces/trace_statistics.hpp"

namespace orrery::core {

// Returns the lines of ASTRA-sim 2 without their time stamps, rank by rank in the order in which they finish.
std::string astra2_lines(const TraceView& traces, const TraceRules& rules, const Recording& recording);

}  // namespace orrery::core
