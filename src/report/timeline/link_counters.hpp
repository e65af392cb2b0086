// Shows what links carry and switches hold over time, as counters of a timeline.
#pragma once

#include "network/link_history.hpp"
#include "report/timeline/timeline.hpp"

namespace orrery {

// Adds a process for links and one for switches, where the history has any.
void add_counters(const LinkHistory& history, TimelineSink& sink);

}  // namespace orrery
