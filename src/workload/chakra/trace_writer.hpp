// Writes Chakra execution traces in one canonical encoding.
#pragma once

#include <string>

#include "workload/chakra/trace.hpp"

namespace orrery::chakra {

// read_trace() of it gives `trace` again, if its texts are numbered as read_trace() numbers them: in the
// order in which nodes use them, for each node its name, process group, inputs and outputs.
std::string write_trace(const Trace& trace);

}  // namespace orrery::chakra
