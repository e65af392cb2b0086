// Files of ASTRA-sim 1.0 that are made of pairs of a key with its colon and a value, such as `num-npus: 12`.
// Blanks and ends of lines mean the same, and there are no comments.
#pragma once

#include <string>
#include <string_view>

#include "base/input/input_node.hpp"

namespace orrery::core {

// Returns the pairs as a map. When a key is given twice the last value counts, and a warning says so. Throws
// InputError for anything that is no pair.
InputNode parse_key_pairs(std::string_view text, const std::string& file, Warnings& warnings);

}  // namespace orrery::core
