// Finds the critical path of a run whose ranks issue in slots.
#pragma once

#include <vector>

#include "report/critical_path/critical_path.hpp"

namespace orrery::core {

// Does the same as critical_path(), for the recording of such a run.
std::vector<PathStep> slot_path(const Program& program, const Recording& recording);

}  // namespace orrery::core
