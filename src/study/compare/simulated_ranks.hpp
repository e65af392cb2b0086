// Makes of a simulated run what a profiler would have recorded of it.
#pragma once

#include <vector>

#include "report/profile/activity.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

// Returns a rank for each part of the run's program. The run has to be one that tells operators apart
// (RunSpec::every_operator).
std::vector<RankActivities> simulated_ranks(const RunSpec& spec, const RunResult& result);

}  // namespace orrery::core
