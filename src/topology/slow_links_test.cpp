#include "topology/slow_links.hpp"

#include <gtest/gtest.h>

namespace orrery::core::slow_links_test {
namespace {

TEST(SlowLinks, FactorsOfOneNpuMultiply) {
  const LinkSlowdown slowdown = slowdown_into({{0, {1, 2}, 2.0}, {1, {0}, 5.0}, {0, {2}, 3.0}}, 0, 4);
  EXPECT_TRUE(slowdown.differs());
  EXPECT_EQ(slowdown.by_npu, (std::vector<double>{1, 2, 6, 1}));
}

TEST(SlowLinks, EquallySlowNpusDoNotDiffer) {
  const LinkSlowdown slowdown = slowdown_into({{0, {0, 1}, 2.0}, {0, {2}, 2.0}}, 0, 3);
  EXPECT_FALSE(slowdown.differs());
  EXPECT_EQ(slowdown.of_all, 2.0);
  EXPECT_FALSE(slowdown_into({{0, {1}, 1.0}}, 0, 3).differs());
  EXPECT_EQ(slowdown_into({{0, {1}, 2.0}}, 1, 3).of_all, 1.0);
}

}  // namespace
}  // namespace orrery::core::slow_links_test
