#include "simulate/trace/node_state.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

using Asks = PlainNodes::Asks;

TEST(TraceNodeState, IsFreeWhenTheLastOfItsParentsHasFinished) {
  for (const auto slot :
       {node_state::cpu, node_state::compute, node_state::communication, node_state::none}) {
    Interval node = node_state::waiting(3, slot, Asks::something_else());
    EXPECT_FALSE(node_state::releases(node));
    EXPECT_FALSE(node_state::releases(node));
    EXPECT_EQ(node_state::slot_of(node), slot);
    EXPECT_TRUE(node_state::releases(node));
    EXPECT_EQ(node_state::slot_of(node), slot);
    EXPECT_FALSE(node_state::is_under_way(node));
  }
}

TEST(TraceNodeState, BecomesTheIntervalWhenTheNodeIsIssued) {
  Interval node = node_state::waiting(0, node_state::compute, Asks::time(Time::from_ns(7)));
  const Asks asks = node_state::issue(node, Time::from_ns(5));
  ASSERT_TRUE(asks.is_time());
  EXPECT_EQ(asks.time(), Time::from_ns(7));
  EXPECT_EQ(node.start, Time::from_ns(5));
  EXPECT_TRUE(node_state::is_under_way(node));
  node.end = Time::from_ns(12);
  EXPECT_FALSE(node_state::is_under_way(node));
}

TEST(TraceNodeState, KeepsWhichCollectiveTheNodeAsksFor) {
  Interval node = node_state::waiting(0, node_state::communication, Asks::collective(9'999));
  const Asks asks = node_state::issue(node, Time());
  ASSERT_TRUE(asks.is_collective());
  EXPECT_FALSE(asks.is_time());
  EXPECT_EQ(asks.collective(), 9'999u);
}

TEST(TraceNodeState, AnythingElseIsNeitherATimeNorACollective) {
  EXPECT_FALSE(Asks::something_else().is_time());
  EXPECT_FALSE(Asks::something_else().is_collective());
}

}  // namespace
}  // namespace orrery
