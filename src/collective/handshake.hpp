// The rendezvous protocol's message from receiver to sender. (spec: analytical network, section 8)
#pragma once

#include "base/bytes.hpp"

namespace orrery {

inline constexpr Bytes handshake_bytes{8192};

}  // namespace orrery
