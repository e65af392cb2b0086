#include "network/packet/reliability/byte_ranges.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace orrery::core::byte_ranges_test {
namespace {

// Any order of packets, some of which come twice or overlap, leads to the same end as one bit per byte.
TEST(ByteRanges, AgreeWithABitPerByte) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    constexpr std::uint64_t size = 60;
    std::vector<bool> arrived(size + 1);
    ByteRanges ahead;
    std::uint64_t expected = 0;
    while (expected < size) {
      const auto first = static_cast<std::uint64_t>(random.between(0, size - 1));
      const auto bytes = static_cast<std::uint64_t>(random.between(1, static_cast<int>(size - first)));
      if (bytes > 12) continue;
      for (std::uint64_t i = first; i < first + bytes; ++i) arrived[i] = true;
      take_in_any_order(ahead, expected, first, bytes);
      std::uint64_t missing = 0;
      while (arrived[missing]) ++missing;
      ASSERT_EQ(expected, missing);
    }
    EXPECT_TRUE(ahead.empty());
  }
}

}  // namespace
}  // namespace orrery::core::byte_ranges_test
