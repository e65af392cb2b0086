#include "report/timeline/arrows.hpp"

#include <gtest/gtest.h>

namespace orrery::core::arrows_test {
namespace {

TEST(Arrows, BothEndsHaveTheirNumber) {
  Arrows arrows(0), others(1);
  arrows.add(4, 7);
  arrows.add(2, 4);
  others.add(4, 7);
  arrows.sort();
  others.sort();
  EXPECT_EQ(arrows.of(4).size(), 2u);
  ASSERT_EQ(arrows.of(7).size(), 1u);
  EXPECT_EQ(arrows.of(7)[0], arrows.of(4)[0]);
  EXPECT_EQ(arrows.of(2)[0], arrows.of(4)[1]);
  EXPECT_TRUE(arrows.of(3).empty());
  EXPECT_NE(others.of(7), arrows.of(7));
}

TEST(MessageArrows, TheNthReceiveOfAChannelGetsItsNthSend) {
  MessageArrows messages;
  const MessageArrows::Channel there{0, 1, 5}, back{1, 0, 5}, other_tag{0, 1, 6};
  const auto first = messages.sent(there), second = messages.sent(there);
  EXPECT_NE(first, second);
  EXPECT_EQ(messages.received(there), first);
  EXPECT_NE(messages.received(back), first);
  EXPECT_NE(messages.received(other_tag), second);
  EXPECT_EQ(messages.received(there), second);
}

}  // namespace
}  // namespace orrery::core::arrows_test
