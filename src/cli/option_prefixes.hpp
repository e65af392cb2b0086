// ASTRA-sim 1.0's command line accepts any unambiguous beginning of an option's name; so do we.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace orrery {

// Replaces "--run=x" by "--run-name=x" and so on. Leaves what is unknown or complete; throws InputError for
// what is ambiguous.
void expand_option_prefixes(const CLI::App& command, std::vector<std::string>& arguments);

}  // namespace orrery
