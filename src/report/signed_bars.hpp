// Changes for a terminal: with their signs, and as bars to either side.
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"

namespace orrery {

// "+1.250 ms"; without a sign where nothing changes.
std::string with_sign(Time change);

// Returns for each change a bar to the left of a line for what takes less time, to its right for what takes
// more; the largest fills one side. `unicode` draws with block characters, else with ASCII.
std::vector<std::string> signed_bars(const std::vector<Time>& changes, bool unicode);

}  // namespace orrery
