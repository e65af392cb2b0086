#include "compute/systolic/half_buffer.hpp"

#include <algorithm>

#include "compute/systolic/checked_count.hpp"

namespace orrery::core {

std::uint64_t HalfBuffer::read(std::uint64_t words, std::uint64_t passes, std::uint64_t blocks) {
  const std::uint64_t all = checked_product({words, passes, blocks}, where_);
  if (words >= capacity_ || passes == 1) {  // nothing is still there when it is read again
    used_ = (used_ + all % capacity_) % capacity_;
    return all;
  }
  // A block that fits costs its words once. A block that fills the buffer makes it drop everything, so the
  // block is fetched once more in its next pass, after which the buffer holds nothing but its words. From
  // there on the same happens again and again.
  std::uint64_t fetched = 0;
  while (blocks > 0) {
    const std::uint64_t fitting = std::min(blocks, (capacity_ - used_ - 1) / words);
    fetched += fitting * words;
    used_ += fitting * words;
    blocks -= fitting;
    if (blocks == 0) break;
    fetched += capacity_ - used_ + words;
    used_ = words;
    --blocks;
    const std::uint64_t blocks_per_flush = (capacity_ - used_ - 1) / words + 1;
    const std::uint64_t flushes = blocks / blocks_per_flush;
    fetched += flushes * capacity_;
    blocks -= flushes * blocks_per_flush;
  }
  return fetched;
}

}  // namespace orrery::core
