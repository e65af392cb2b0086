#include "simulate/slots/operation_record.hpp"

#include <gtest/gtest.h>

namespace orrery::core::operation_record_test {
namespace {

using Asks = OperationAsks;

TEST(OperationRecords, IsFreeWhenTheLastItWaitsForIsComplete) {
  for (const auto slot : {Slot::host, Slot::compute, Slot::communication, Slot::none}) {
    OperationRecord operation(3, slot, Asks::something_else());
    EXPECT_FALSE(operation.releases());
    EXPECT_FALSE(operation.releases());
    EXPECT_EQ(operation.slot(), slot);
    EXPECT_TRUE(operation.releases());
    EXPECT_EQ(operation.slot(), slot);
    EXPECT_FALSE(operation.is_under_way());
  }
}

TEST(OperationRecords, BecomesTheIntervalWhenItIsIssued) {
  OperationRecord operation(0, Slot::compute, Asks::time(Time::from_ns(7)));
  const Asks asks = operation.issue(Time::from_ns(5));
  ASSERT_TRUE(asks.is_time());
  EXPECT_EQ(asks.time(), Time::from_ns(7));
  EXPECT_EQ(operation.start(), Time::from_ns(5));
  EXPECT_TRUE(operation.is_under_way());
  operation.complete(Time::from_ns(12));
  EXPECT_FALSE(operation.is_under_way());
  EXPECT_EQ(operation.interval().start, Time::from_ns(5));
  EXPECT_EQ(operation.interval().end, Time::from_ns(12));
}

TEST(OperationRecords, KeepsWhichCollectiveItAsksFor) {
  OperationRecord operation(0, Slot::communication, Asks::collective(9'999));
  const Asks asks = operation.issue(Time());
  ASSERT_TRUE(asks.is_collective());
  EXPECT_FALSE(asks.is_time());
  EXPECT_EQ(asks.collective(), 9'999u);
}

TEST(OperationRecords, AnythingElseIsNeitherATimeNorACollective) {
  EXPECT_FALSE(Asks::something_else().is_time());
  EXPECT_FALSE(Asks::something_else().is_collective());
}

}  // namespace
}  // namespace orrery::core::operation_record_test
