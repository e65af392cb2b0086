// Checks names of runs and experiments, which become names of folders and cells of tables.
#pragma once

#include <string>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// Throws InputError at `where` for a name that cannot be used in this way.
void check_run_name(const std::string& name, const SourceLocation& where);

}  // namespace orrery::core
