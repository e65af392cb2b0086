// Process groups as PyTorch's traces define them, in the text of a metadata node. (spec: ASTRA-sim 2,
// section 9.3)
#pragma once

#include <string>
#include <vector>

#include "simulate/trace/trace_machine.hpp"

namespace orrery {

// `text` is a JSON list of objects with `pg_name`, a number in quotes, and `ranks`, with two more characters
// on each side. Throws InputError when it is none.
std::vector<ProcessGroup> read_process_groups(const std::string& text);

}  // namespace orrery
