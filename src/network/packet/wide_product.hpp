// Products of whole numbers that do not fit into 64 bits until they are divided.
#pragma once

#include <cstdint>

namespace orrery::core {

// Returns a * b / divisor, cut to a whole number, which has to fit.
inline std::uint64_t product_over(std::uint64_t a, std::uint64_t b, std::uint64_t divisor) {
  std::uint64_t small;
  if (!__builtin_mul_overflow(a, b, &small)) return small / divisor;
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b / divisor);
}

}  // namespace orrery::core
