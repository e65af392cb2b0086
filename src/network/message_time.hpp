// Checks the duration of a message. The check is the same for every network.
#pragma once

#include <string_view>

#include "base/units/bytes.hpp"

namespace orrery::core {

// Throws InputError about a message "over dimension 'name'" when `ns` is more than ten days. That means a
// wrong unit, and much longer durations would not fit the clock.
void check_message_time(double ns, Bytes bytes, std::string_view name,
                        std::string_view over = "over dimension");

}  // namespace orrery::core
