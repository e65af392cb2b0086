// With rendezvous, every message waits for a handshake, which is a message from its receiver.
#pragma once

#include "base/units/bytes.hpp"

namespace orrery::core {

inline constexpr Bytes handshake_bytes{8192};

}  // namespace orrery::core
