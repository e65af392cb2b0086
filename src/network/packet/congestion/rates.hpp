// Arithmetic of rates in whole bit/s, cut after every operation as in ns-3.
#pragma once

#include <algorithm>
#include <cstdint>

namespace orrery::core {

inline std::uint64_t scaled_rate(std::uint64_t rate, double factor) {
  return static_cast<std::uint64_t>(static_cast<double>(rate) * factor);
}

}  // namespace orrery::core
