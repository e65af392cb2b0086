// Counts how often words must be fetched into a buffer that keeps what it fetched until it is full and then
// drops all of it: SCALE-Sim's read buffers, of which one half is in use while the other is being filled.
#pragma once

#include <cstdint>

#include "base/diagnostics.hpp"

namespace orrery {

class HalfBuffer {
 public:
  // `sram` is the whole buffer, in words, `smallest_sram` at least.
  HalfBuffer(std::uint64_t sram, const SourceLocation& where) : capacity_(sram / 100 * 50), where_(where) {}

  // Reads `blocks` blocks one after the other: `words` different words each, `passes` times in the same
  // order. Gives the words fetched. O(1) for any sizes. Throws InputError when the count does not fit 64
  // bits.
  std::uint64_t read(std::uint64_t words, std::uint64_t passes, std::uint64_t blocks = 1);

 private:
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;  // below capacity_
  const SourceLocation& where_;
};

}  // namespace orrery
