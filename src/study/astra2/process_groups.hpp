// PyTorch's traces define process groups in the text of a metadata node (docs/models/execution-traces.md,
// Process groups).
#pragma once

#include <string>
#include <vector>

#include "workload/chakra/trace_rules.hpp"

namespace orrery {

// `text` is a JSON list of objects with `pg_name`, a number in quotes, and `ranks`, with two more characters
// on each side. Throws InputError when it is none.
std::vector<ProcessGroup> read_process_groups(const std::string& text);

}  // namespace orrery
