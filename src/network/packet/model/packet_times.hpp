// Reads times of packets' keys.
#pragma once

#include <cstdint>

#include "base/input/keys.hpp"

namespace orrery::core {

// Returns a time in picoseconds. Throws InputError when it is shorter than 1 ns.
inline std::int64_t packet_time_of(const InputNode& node, const KeyFacts& key) {
  const Time time = time_of(node, key.name);
  if (time.ps() < 1000) reject_value(node, key.name, "a time of 1 ns at least");
  return time.ps();
}

}  // namespace orrery::core
