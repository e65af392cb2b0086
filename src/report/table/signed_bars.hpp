// Shows changes on a terminal: with their signs, and as bars to either side.
#pragma once

#include <string>
#include <vector>

#include "base/units/time.hpp"

namespace orrery::core {

// Returns "+1.250 ms". Where nothing changes there is no sign.
std::string with_sign(Time change);

// Returns a bar for each change: to the left of a line for what takes less time, and to its right for what
// takes more. The largest change fills one side. `unicode` draws with block characters, else with ASCII.
std::vector<std::string> signed_bars(const std::vector<Time>& changes, bool unicode);

}  // namespace orrery::core
