// Tells whether two inputs say the same.
#pragma once

#include <string>

#include "base/input/input_node.hpp"

namespace orrery::core {

// Returns a text that two nodes have in common exactly where they say the same, wherever they stand. Keys of
// a map in another order count as something else.
std::string content_of(const InputNode& node);

}  // namespace orrery::core
