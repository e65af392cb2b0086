// Reads the activities of a rank whose execution trace says how long its nodes took.
#pragma once

#include <string>

#include "report/profile/activity.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core {

// Such traces do not say when nodes begin. So each node begins when the nodes that it depends on have ended,
// and the device has ended what it did before of the same kind: computing, communicating or copying. Throws
// InputError where no node has a duration.
RankActivities activities_of(const chakra::Trace& trace, const std::string& file);

}  // namespace orrery::core
