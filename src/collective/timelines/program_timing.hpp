// Works out a phase in which each member runs a program, on a group by itself.
#pragma once

#include <span>

#include "collective/timelines/phase_timing.hpp"

namespace orrery::core {

// Does the same as PhaseTiming::run(). Steps wait for nothing but each other and the other end of their
// messages, so times are maxima and sums.
CourseOutcome run_programs(const PhaseTiming& timing, std::span<const Stamp> starts, std::span<Stamp> ends);

}  // namespace orrery::core
