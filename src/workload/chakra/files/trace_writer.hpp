// Writes Chakra execution traces in one canonical encoding.
#pragma once

#include <string>

#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

// Returns the file. read_trace() gives `trace` back if its texts are numbered as read_trace() numbers them:
// in the order in which nodes use them, where each node uses its name, process group, inputs and outputs.
std::string write_trace(const Trace& trace);

}  // namespace orrery::core::chakra
