// Works out a direct exchange with all peers at once by a closed form. Messages go around once, or twice in
// an all-reduce.
#pragma once

#include <optional>
#include <span>

#include "collective/timelines/phase_timing.hpp"

namespace orrery::core {

// Returns whether the course is a direct one: all messages of a round are in flight together, and all cost
// the same to reduce.
bool is_direct_timing(const PhaseTiming& timing);

// Does the same as PhaseTiming::run(). Returns nothing if there is no closed form.
std::optional<CourseOutcome> run_direct(const PhaseTiming& timing, std::span<const Stamp> starts,
                                        std::span<Stamp> ends);

}  // namespace orrery::core
