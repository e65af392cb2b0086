#include "cli/flags/heap_arenas.hpp"

#include <gtest/gtest.h>

namespace orrery::core::heap_arenas_test {
namespace {

TEST(HeapArenas, TakeAQuarterOfTheAddressSpaceAtMost) {
  constexpr std::uint64_t mib = 1 << 20;
  EXPECT_EQ(arenas_that_fit(60 * mib), 1);
  EXPECT_EQ(arenas_that_fit(1024 * mib), 2);
  EXPECT_EQ(arenas_that_fit(64 * 1024 * mib), 128);
  EXPECT_EQ(arenas_that_fit(0), 1);
  EXPECT_GT(arenas_that_fit(~std::uint64_t{0}), 1000);
}

TEST(HeapArenas, ThreadsAreFewWhereAddressesAre) {
  constexpr std::uint64_t mib = 1 << 20;
  EXPECT_EQ(threads_that_fit(0), 1);
  EXPECT_EQ(threads_that_fit(30 * mib), 1);
  EXPECT_EQ(threads_that_fit(128 * mib), 4);
  EXPECT_GT(threads_that_fit(~std::uint64_t{0}), 1000);
}

}  // namespace
}  // namespace orrery::core::heap_arenas_test
