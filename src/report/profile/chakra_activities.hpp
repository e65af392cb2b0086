// The activities of a rank whose execution trace says how long its nodes took.
#pragma once

#include <string>

#include "report/profile/activity.hpp"
#include "workload/chakra/trace.hpp"

namespace orrery {

// Such traces have no times at which nodes begin, so each begins when what it depends on has ended, and what
// the device does of its kind before: computing, communicating or copying. Throws InputError where no node
// has a duration.
RankActivities activities_of(const chakra::Trace& trace, const std::string& file);

}  // namespace orrery
