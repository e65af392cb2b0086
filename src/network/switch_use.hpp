// Records what nodes that pass on packets have held of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.hpp"

namespace orrery {

struct SwitchUse {
  std::string name;
  std::optional<Bytes> buffer = {};  // that all its ports share; none: ports have buffers of their own
  Bytes peak;                        // that it held at once, at most
  std::uint64_t drops = 0;           // packets lost for want of room, or on the links out of it
  std::uint64_t marks = 0;           // packets that it marked
  std::uint64_t pauses = 0;          // that senders at its links obeyed
};

}  // namespace orrery
