// With rendezvous a message waits for one of its receiver.
#pragma once

#include "base/bytes.hpp"

namespace orrery {

inline constexpr Bytes handshake_bytes{8192};

}  // namespace orrery
