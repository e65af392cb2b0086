#include "collective/booked_links.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(BookedLinks, WaitOnlyForThoseThatAreUsed) {
  BookedLinks links;
  links.book({1}, 10);
  links.book({3, 4}, 20);
  EXPECT_EQ(links.free({2}), 0u);
  EXPECT_EQ(links.free({1, 2}), 10u);
  EXPECT_EQ(links.free({2, 4}), 20u);
  EXPECT_EQ(links.free({}), 20u);
  links.book({1, 3}, 30);
  EXPECT_EQ(links.free({4}), 20u);
  EXPECT_EQ(links.free({3}), 30u);
}

TEST(BookedLinks, AreBookedAsOneWhereAPhaseUsesAll) {
  BookedLinks links;
  links.book({1}, 10);
  links.book({}, 20);
  EXPECT_EQ(links.free({1}), 20u);
  EXPECT_EQ(links.free({7}), 20u);
  links.book({7}, 30);
  EXPECT_EQ(links.free({1}), 20u);
  EXPECT_EQ(links.free({}), 30u);
}

}  // namespace
}  // namespace orrery
