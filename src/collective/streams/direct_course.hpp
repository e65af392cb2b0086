// A direct exchange with all peers at once, as a closed form: once around, or as an all-reduce twice.
#pragma once

#include <span>

#include "collective/streams/phase_courses.hpp"

namespace orrery {

// Returns whether the course is a direct one: all messages of a round are in flight together, and all cost
// the same to reduce.
bool is_direct_course(const PhaseCourse& course);

// Does what PhaseCourses::run() does; returns false if there is no closed form.
bool run_direct(const PhaseCourse& course, std::span<const Time> starts, std::span<Time> ends);

}  // namespace orrery
