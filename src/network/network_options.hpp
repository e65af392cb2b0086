// The options that networks may have. A new one is a folder with a NetworkOptionKind, and a line here.
#pragma once

#include <array>

#include "network/flows/background_option.hpp"
#include "network/host/host_stack_option.hpp"

namespace orrery::core {

// In the order in which their transports stand around the one that carries messages, the innermost first.
inline constexpr std::array<const NetworkOptionKind*, 2> network_option_kinds{&background_option,
                                                                              &host_stack_option};

}  // namespace orrery::core
