// The connection matrices of htsim: flows, and the triggers by which they start one another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "network/flows/flow.hpp"

namespace orrery {

// Returns whether the text looks like one.
bool is_connection_matrix(std::string_view text);

// Reads one. A flow with a trigger starts when all flows that fire it have ended. Throws InputError, also for
// triggers that a flow cannot wait for in this way.
std::vector<Flow> read_connection_matrix(std::string_view text, const std::string& file);

}  // namespace orrery
