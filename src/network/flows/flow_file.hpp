// Reads flows from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/keys.hpp"
#include "network/flows/flow.hpp"

namespace orrery {

// Reads a connection matrix of htsim, a CSV whose first line names the columns `source,destination,bytes` and
// any of `start_us`, `channel`, `after` and `priority`, or ns-3's flow file: the number of flows, and for
// each source, destination, priority, port, bytes and the start in seconds. Throws InputError, also where
// flows wait for one another in a circle.
std::vector<Flow> read_flow_file(std::string_view text, const std::string& file);

// Returns the columns of the CSV.
std::vector<KeyPath> flow_file_keys();

}  // namespace orrery
