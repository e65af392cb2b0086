// Stops the program at a place that no run can reach unless the program has a fault.
#pragma once

namespace orrery::core {

// Throws std::logic_error with the sentence, which says why nobody gets here, in release builds, too: a
// result that follows from such a fault would be wrong without a word. Users see it as an internal error.
[[noreturn]] void unreachable(const char* sentence);

}  // namespace orrery::core
