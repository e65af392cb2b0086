// Counts how often words must be fetched into a buffer that keeps what it fetched until it is full and then
// drops all of it. SCALE-Sim's read buffers do so: one half is in use while the other is being filled.
#pragma once

#include <cstdint>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

class HalfBuffer {
 public:
  // `sram` is the size of the whole buffer in words, at least `smallest_sram`.
  HalfBuffer(std::uint64_t sram, const SourceLocation& where) : capacity_(sram / 100 * 50), where_(where) {}

  std::uint64_t capacity() const { return capacity_; }  // different words

  // Reads `blocks` blocks one after the other, each of `words` different words, which are read `passes` times
  // in the same order. Returns the number of words fetched. The work is O(1) for any sizes. Throws InputError
  // when the count does not fit 64 bits.
  std::uint64_t read(std::uint64_t words, std::uint64_t passes, std::uint64_t blocks = 1);

 private:
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;  // below capacity_
  const SourceLocation& where_;
};

}  // namespace orrery::core
