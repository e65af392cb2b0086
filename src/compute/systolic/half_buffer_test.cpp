#include "compute/systolic/half_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::core::half_buffer_test {
namespace {

const SourceLocation nowhere;

// The same word by word, so to speak: one fill or one pass at a time.
class SlowBuffer {
 public:
  explicit SlowBuffer(std::uint64_t capacity) : capacity_(capacity) {}

  std::uint64_t read(std::uint64_t words, std::uint64_t passes) {
    std::uint64_t fetched = 0, left = words * passes, of_block = 0;
    while (left > 0 && of_block < words) {
      const std::uint64_t step = std::min({words - of_block, capacity_ - used_, left});
      fetched += step;
      left -= step;
      of_block += step;
      used_ += step;
      if (used_ == capacity_) used_ = of_block = 0;
    }
    return fetched;
  }

 private:
  std::uint64_t capacity_, used_ = 0;
};

TEST(HalfBuffer, FetchesWhatASlowOneDoes) {
  for (std::uint64_t words = 1; words <= 130; ++words) {
    for (const std::uint64_t passes : {1, 2, 3, 7}) {
      HalfBuffer buffer(200, nowhere);
      SlowBuffer slow(100);
      for (const std::uint64_t blocks : {1, 2, 3, 30, 1}) {
        std::uint64_t fetched = 0;
        for (std::uint64_t block = 0; block < blocks; ++block) fetched += slow.read(words, passes);
        EXPECT_EQ(buffer.read(words, passes, blocks), fetched) << words << " words, " << passes << " passes";
      }
    }
  }
}

TEST(HalfBuffer, CountsMayNotExceed64Bits) {
  constexpr std::uint64_t many = std::uint64_t{1} << 32;
  EXPECT_EQ(HalfBuffer(200, nowhere).read(many, many / 2), std::uint64_t{1} << 63);
  EXPECT_THROW(HalfBuffer(200, nowhere).read(many, many), InputError);
  EXPECT_EQ(HalfBuffer(200, nowhere).read(49, 2, many), (many - 2) / 2 * 100 + 2 * 49);
}

}  // namespace
}  // namespace orrery::core::half_buffer_test
