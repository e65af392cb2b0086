#include "workload/training/block_time.hpp"

#include <gtest/gtest.h>

namespace orrery {
namespace {

// A second per operation of an elementwise operator.
class Clockwork final : public ComputeModel {
 public:
  OperatorCost cost(const Operator& op) const override {
    OperatorCost cost;
    cost.flops = std::get<Elementwise>(op.work).flops;
    cost.seconds = cost.flops;
    return cost;
  }
};

Step compute(double seconds, std::vector<int> waits) {
  return {"compute", StepPhase::forward, Operator{"op", Elementwise{seconds, 0, 0}, Datatype::bf16}, waits};
}

Step exchange(double seconds, std::vector<int> waits, Axis axis = Axis::tensor) {
  return {"exchange", StepPhase::forward, Exchange{axis, CollectiveKind::all_reduce, seconds}, waits};
}

BlockTime time_of(const std::vector<Step>& steps, const Slowdown& slowdown = {}) {
  return time_of_steps(
      steps, Clockwork(), [](const Exchange& one) { return one.bytes; }, slowdown);
}

double exposed(const BlockTime& time, Axis axis) {
  return time.exposed[static_cast<std::size_t>(axis)];
}

TEST(BlockTime, CollectivesThatAreWaitedForAreExposed) {
  const BlockTime time = time_of({compute(2, {block_input}), exchange(3, {0}), compute(4, {1})});
  EXPECT_DOUBLE_EQ(time.seconds, 9);
  EXPECT_DOUBLE_EQ(time.compute, 6);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::tensor), 3);
  EXPECT_DOUBLE_EQ(time.operators, 2);
  EXPECT_DOUBLE_EQ(time.exchanges, 1);
}

// The second operator does not need the all-reduce, which ends under it.
TEST(BlockTime, OperatorsHideCollectives) {
  const BlockTime time = time_of({compute(2, {block_input}), exchange(3, {0}), compute(4, {0})});
  EXPECT_DOUBLE_EQ(time.seconds, 6);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::tensor), 0);
}

TEST(BlockTime, WhatIsLeftAtTheEndIsExposedAlongItsAxis) {
  const BlockTime time =
      time_of({compute(2, {block_input}), exchange(3, {0}), exchange(9, {0}, Axis::expert), compute(4, {0})});
  EXPECT_DOUBLE_EQ(time.seconds, 11);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::expert), 5);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::tensor), 0);
}

TEST(BlockTime, CollectivesOfAnAxisFollowOneAnother) {
  EXPECT_DOUBLE_EQ(time_of({exchange(3, {}), exchange(4, {})}).seconds, 7);
  EXPECT_DOUBLE_EQ(time_of({exchange(3, {}), exchange(4, {}, Axis::context)}).seconds, 4);
}

TEST(BlockTime, SlowdownsAndTheHost) {
  const BlockTime time = time_of({compute(2, {block_input}), exchange(3, {0}), compute(4, {1})}, {1, 1.5});
  EXPECT_DOUBLE_EQ(time.seconds, 12);
  EXPECT_DOUBLE_EQ(launched_by_host(time, 3, 5).seconds, 12);
  const BlockTime late = launched_by_host(time, 10, 5);
  EXPECT_DOUBLE_EQ(late.seconds, 25);
  EXPECT_DOUBLE_EQ(late.compute, 9 + 13);
  EXPECT_DOUBLE_EQ((time * 2).seconds, 24);
}

}  // namespace
}  // namespace orrery
