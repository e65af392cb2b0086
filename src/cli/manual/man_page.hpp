// Writes manual pages, in the macros of man(7).
#pragma once

#include <string>

#include "cli/manual/described_command.hpp"

namespace orrery::core {

// Returns the name of a command's page: "orrery", "orrery-compute-systolic".
std::string page_name_of(const DescribedCommand& command);

// Returns the page of a command of the program, or of the program itself.
std::string man_page(const DescribedCommand& command, const DescribedCommand& program);

}  // namespace orrery::core
