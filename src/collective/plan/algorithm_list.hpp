// ASTRA-sim 1.0's lists of algorithms, such as `ring_direct4_halvingDoubling` or `oneRing`.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/plan/system_config.hpp"

namespace orrery::core {

// Reads a list with one entry per dimension, 1 to 10. Throws InputError at the word that is wrong.
std::vector<AlgorithmChoice> parse_algorithm_list(std::string_view list, const SourceLocation& where,
                                                  Warnings& warnings);

}  // namespace orrery::core
