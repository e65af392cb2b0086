// Ends the program at a place that no run can reach unless the program has a fault.
#pragma once

namespace orrery {

// Prints the sentence, which says why nobody gets here, and aborts, in release builds, too: a result that
// follows from such a fault would be wrong without a word.
[[noreturn]] void unreachable(const char* sentence);

}  // namespace orrery
