// How an exchange goes on a group whose members start together, but take different times for their messages.
#pragma once

#include "collective/phase_timeline.hpp"

namespace orrery {

// Of the group of NPU `base`. Where members send one message at a time, these are added up, else simulated.
PhaseTimeline group_timeline(const PhaseShape& shape, int base, const SystemConfig& system,
                             const Dialect& dialect, const ContentionFreeNetwork& network, const Clock& clock,
                             int topology_dimensions);

// Message by message, whatever the schedule.
PhaseTimeline simulated_group_timeline(const PhaseShape& shape, int base, const SystemConfig& system,
                                       const Dialect& dialect, const ContentionFreeNetwork& network,
                                       const Clock& clock, int topology_dimensions);

}  // namespace orrery
