// Prints texts, and finds what the terminal can show.
#pragma once

#include <string_view>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// Writes a text to standard output, with its control characters escaped except for line ends.
void print(std::string_view text);
// Does the same for JSON.
void print_json(std::string_view json);

// Returns whether the locale promises UTF-8.
bool terminal_draws_unicode();

// Prints the warnings from number `first` on.
void print_warnings(const Warnings& warnings, std::size_t first = 0);

}  // namespace orrery::core
