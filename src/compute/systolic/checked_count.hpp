// Products and sums of word and cycle counts, which may be too large for 64 bits.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

[[noreturn]] inline void reject_count(const SourceLocation& where) {
  throw InputError(where, "the operator needs more than 2^64 words or cycles, make it smaller");
}

// Throw InputError at `where` when the result is 2^64 or more.
inline std::uint64_t checked_product(std::initializer_list<std::uint64_t> factors,
                                     const SourceLocation& where) {
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors)
    if (__builtin_mul_overflow(product, factor, &product)) reject_count(where);
  return product;
}
inline std::uint64_t checked_sum(std::initializer_list<std::uint64_t> terms, const SourceLocation& where) {
  std::uint64_t sum = 0;
  for (const std::uint64_t term : terms)
    if (__builtin_add_overflow(sum, term, &sum)) reject_count(where);
  return sum;
}

constexpr std::uint64_t ceil_divide(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace orrery::core
