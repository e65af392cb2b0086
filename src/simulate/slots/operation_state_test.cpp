#include "simulate/slots/operation_state.hpp"

#include <gtest/gtest.h>

namespace orrery::operation_state_test {
namespace {

using Asks = OperationAsks;

TEST(OperationState, IsFreeWhenTheLastItWaitsForIsComplete) {
  for (const auto slot : {Slot::host, Slot::compute, Slot::communication, Slot::none}) {
    Interval operation = operation_state::waiting(3, slot, Asks::something_else());
    EXPECT_FALSE(operation_state::releases(operation));
    EXPECT_FALSE(operation_state::releases(operation));
    EXPECT_EQ(operation_state::slot_of(operation), slot);
    EXPECT_TRUE(operation_state::releases(operation));
    EXPECT_EQ(operation_state::slot_of(operation), slot);
    EXPECT_FALSE(operation_state::is_under_way(operation));
  }
}

TEST(OperationState, BecomesTheIntervalWhenItIsIssued) {
  Interval operation = operation_state::waiting(0, Slot::compute, Asks::time(Time::from_ns(7)));
  const Asks asks = operation_state::issue(operation, Time::from_ns(5));
  ASSERT_TRUE(asks.is_time());
  EXPECT_EQ(asks.time(), Time::from_ns(7));
  EXPECT_EQ(operation.start, Time::from_ns(5));
  EXPECT_TRUE(operation_state::is_under_way(operation));
  operation.end = Time::from_ns(12);
  EXPECT_FALSE(operation_state::is_under_way(operation));
}

TEST(OperationState, KeepsWhichCollectiveItAsksFor) {
  Interval operation = operation_state::waiting(0, Slot::communication, Asks::collective(9'999));
  const Asks asks = operation_state::issue(operation, Time());
  ASSERT_TRUE(asks.is_collective());
  EXPECT_FALSE(asks.is_time());
  EXPECT_EQ(asks.collective(), 9'999u);
}

TEST(OperationState, AnythingElseIsNeitherATimeNorACollective) {
  EXPECT_FALSE(Asks::something_else().is_time());
  EXPECT_FALSE(Asks::something_else().is_collective());
}

}  // namespace
}  // namespace orrery::operation_state_test
