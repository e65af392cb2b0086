// Changes the entries of maps in trees of inputs.
#pragma once

#include <string_view>

#include "base/input/input_node.hpp"

namespace orrery::core {

// Gives a key of a map this value. A key that is new has the value's place.
void set_entry(InputNode& map, std::string_view key, InputNode value);
// Takes a key away, if the map has it.
void erase_entry(InputNode& map, std::string_view key);

}  // namespace orrery::core
