// Runs that have ended as a text, in which a machine that has simulated them sends them to the one that keeps
// them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "study/store/run_store.hpp"

namespace orrery::core {

std::string text_of_runs(const std::vector<EndedPoint>& runs);

// Reads such a text. `placed` returns the run of a number, of which the key has to be the one in the text.
// Throws InputError for another text, and where the runs are of another sweep.
std::vector<EndedPoint> runs_of_text(std::string_view text,
                                     const std::function<PlacedPoint(std::size_t)>& placed);

}  // namespace orrery::core
