// The output of a run of traces: what it prints and the files it leaves behind.
#pragma once

#include <string>

#include "report/trace_statistics.hpp"
#include "simulate/trace/trace_machine.hpp"

namespace orrery {

// The lines of ASTRA-sim 2 without their time stamps, rank by rank in the order in which they finish.
std::string astra2_lines(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                         const TraceRecording& recording);

}  // namespace orrery
