// One run of execution traces.
#pragma once

#include "simulate/simulation.hpp"
#include "simulate/trace/trace_machine.hpp"
#include "simulate/trace/trace_recording.hpp"

namespace orrery {

// Runs a trace per NPU until nothing is left to do. Uses nothing outside its arguments. Throws InputError
// when a trace asks for what cannot be, StallError when ranks wait for ever.
TraceRecording simulate_traces(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                               const ProgressListener& progress = {});

}  // namespace orrery
