// Checks the duration of a message, the same for every network.
#pragma once

#include <string_view>

#include "base/bytes.hpp"

namespace orrery {

// Throws InputError when `ns` is more than ten days: a wrong unit, and much longer ones would not fit the
// clock.
void check_message_time(double ns, Bytes bytes, std::string_view dimension);

}  // namespace orrery
