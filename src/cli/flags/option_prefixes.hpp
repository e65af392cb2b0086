// ASTRA-sim 1.0's command line accepts any unambiguous beginning of an option's name, and so does ours.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace orrery::core {

// Replaces "--run=x" by "--run-name=x" and so on. Leaves options that are unknown or complete. Throws
// InputError for ambiguous ones.
void expand_option_prefixes(const CLI::App& command, std::vector<std::string>& arguments);

}  // namespace orrery::core
