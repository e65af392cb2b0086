// Random but valid runs of traces, the same for the same seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/trace_runs.hpp"

namespace orrery::core::test {

struct TraceCase {
  std::vector<RankTrace> traces;
  TraceMachine machine;
};

// `equal`: all ranks share one trace; else they compute for different times, some in groups of their own, and
// send each other messages.
TraceCase random_traces(std::uint64_t seed, bool equal);

}  // namespace orrery::core::test
