// Records what nodes have held of the packets that they pass on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units/bytes.hpp"

namespace orrery::core {

struct SwitchUse {
  std::string name;
  std::optional<Bytes> buffer = {};  // bytes that all its ports share; none: ports have buffers of their own
  Bytes peak;                        // most bytes that it held at once
  std::uint64_t drops = 0;           // packets lost for want of room, or on the links out of it
  std::uint64_t marks = 0;           // packets that it marked
  std::uint64_t pauses = 0;          // number of pauses that senders at its links obeyed
};

}  // namespace orrery::core
