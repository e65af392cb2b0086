// Finds the files of a set of execution traces.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// Returns the files of NPUs 0, 1, ... as long as there are any, `<prefix>.0.et` and so on, or one file that
// all NPUs share: `<prefix>` or `<prefix>.et`. A folder stands for the one set of traces in it. Throws
// InputError at `where`.
std::vector<std::string> find_trace_files(const std::string& prefix_or_folder, const SourceLocation& where);

// Returns what to say where traces of a prefix are missing, but files in JSON have its name; otherwise an
// empty text.
std::string json_beside(const std::string& prefix);

}  // namespace orrery::core
