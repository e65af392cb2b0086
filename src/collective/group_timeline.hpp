// Times an exchange on a group whose members start together, but take different times for their messages.
#pragma once

#include "collective/phase_timeline.hpp"

namespace orrery {

// Returns the timeline of the group whose first member is NPU `base`. Where members send one message at a
// time, the times of messages are added up round by round; all others are simulated.
PhaseTimeline group_timeline(const PhaseShape& shape, int base, const SystemConfig& system,
                             const Dialect& dialect, const ContentionFreeNetwork& network, const Clock& clock,
                             int topology_dimensions);

// Returns the same by simulating every message, whatever the schedule.
PhaseTimeline simulated_group_timeline(const PhaseShape& shape, int base, const SystemConfig& system,
                                       const Dialect& dialect, const ContentionFreeNetwork& network,
                                       const Clock& clock, int topology_dimensions);

}  // namespace orrery
