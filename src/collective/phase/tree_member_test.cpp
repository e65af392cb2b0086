#include "collective/phase/tree_member.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::tree_member_test {
namespace {

// Writes down what the member decides.
struct Notes {
  std::string& text;
  void prepare(TreeSchedule::Step step) const { text += "prepare " + std::to_string(step) + ", "; }
  void send(TreeSchedule::Relation to) const { text += "send " + std::to_string(to) + ", "; }
  void receive(TreeSchedule::Relation from) const { text += "receive " + std::to_string(from) + ", "; }
  void ended() const { text += "ended"; }
};

constexpr std::int32_t none = TreeSchedule::none;
using enum TreeSchedule::Relation;
using enum TreeSchedule::Step;

TEST(TreeMember, ALeafSendsUpAndEndsWhenItHasTheResult) {
  std::string said;
  TreeMember leaf({7, none, none});
  EXPECT_FALSE(leaf.reduces());
  EXPECT_TRUE(leaf.has_gathered());
  leaf.start(Notes{said});
  leaf.prepared(first_up, Notes{said});
  EXPECT_EQ(said, "prepare 0, send 0, receive 0, ");
  said.clear();
  leaf.received(parent, Notes{said});
  leaf.prepared(down, Notes{said});
  EXPECT_EQ(said, "prepare 4, ended");
}

TEST(TreeMember, AnInnerNodeGathersBothChildrenFirst) {
  std::string said;
  TreeMember node({7, 1, 3});
  EXPECT_EQ(node.peer(right), 3u);
  node.start(Notes{said});
  EXPECT_EQ(said, "receive 1, receive 2, ");
  said.clear();
  node.received(right, Notes{said});
  node.received(left, Notes{said});
  node.prepared(child_gathered, Notes{said});
  EXPECT_EQ(said, "prepare 1, prepare 2, ");
  EXPECT_FALSE(node.has_gathered());
  said.clear();
  node.prepared(last_child_gathered, Notes{said});
  EXPECT_TRUE(node.has_gathered());
  node.received(parent, Notes{said});
  node.prepared(down, Notes{said});
  EXPECT_EQ(said, "send 0, receive 0, prepare 4, send 1, send 2, ended");
}

TEST(TreeMember, TheRootTurnsAround) {
  std::string said;
  TreeMember root({none, 3, none});
  root.start(Notes{said});
  root.received(left, Notes{said});
  root.prepared(root_turn, Notes{said});
  EXPECT_EQ(said, "receive 1, prepare 3, send 1, ended");
}

}  // namespace
}  // namespace orrery::core::tree_member_test
