#include "workload/training/block_time.hpp"

#include <gtest/gtest.h>

namespace orrery::core::block_time_test {
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
      steps, Clockwork(), [](const Exchange& one) { return Seconds(one.bytes); }, slowdown);
}

double exposed(const BlockTime& time, Axis axis) {
  return time.exposed[static_cast<std::size_t>(axis)].count();
}

TEST(BlockTime, CollectivesThatAreWaitedForAreExposed) {
  const BlockTime time = time_of({compute(2, {block_input}), exchange(3, {0}), compute(4, {1})});
  EXPECT_DOUBLE_EQ(time.total.count(), 9);
  EXPECT_DOUBLE_EQ(time.compute.count(), 6);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::tensor), 3);
  EXPECT_DOUBLE_EQ(time.operators, 2);
  EXPECT_DOUBLE_EQ(time.exchanges, 1);
}

// The second operator does not need the all-reduce, which ends under it.
TEST(BlockTime, OperatorsHideCollectives) {
  const BlockTime time = time_of({compute(2, {block_input}), exchange(3, {0}), compute(4, {0})});
  EXPECT_DOUBLE_EQ(time.total.count(), 6);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::tensor), 0);
}

TEST(BlockTime, WhatIsLeftAtTheEndIsExposedAlongItsAxis) {
  const BlockTime time =
      time_of({compute(2, {block_input}), exchange(3, {0}), exchange(9, {0}, Axis::expert), compute(4, {0})});
  EXPECT_DOUBLE_EQ(time.total.count(), 11);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::expert), 5);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::tensor), 0);
}

TEST(BlockTime, CollectivesOfAnAxisFollowOneAnother) {
  EXPECT_DOUBLE_EQ(time_of({exchange(3, {}), exchange(4, {})}).total.count(), 7);
  EXPECT_DOUBLE_EQ(time_of({exchange(3, {}), exchange(4, {}, Axis::context)}).total.count(), 4);
}

Step in_blocks(CollectiveKind kind, double seconds, std::vector<int> waits) {
  return {"exchange", StepPhase::forward, Exchange{Axis::context, kind, seconds, 4}, waits};
}

// Liu et al., "Ring attention with blockwise transformers", 2023: what is sent is hidden while a block takes
// longer to work on than to send.
TEST(BlockTime, BlocksAreWorkedOnAsTheyCome) {
  constexpr CollectiveKind gather = CollectiveKind::all_gather;
  const BlockTime hidden = time_of({compute(2, {block_input}), in_blocks(gather, 3, {0}), compute(8, {1})});
  EXPECT_DOUBLE_EQ(hidden.total.count(), 10);
  EXPECT_DOUBLE_EQ(exposed(hidden, Axis::context), 0);
  // Keys and values: the last block is there at 2 + 6 + 6, then it takes 2.
  const BlockTime slow = time_of(
      {compute(2, {block_input}), in_blocks(gather, 6, {0}), in_blocks(gather, 6, {0}), compute(8, {1, 2})});
  EXPECT_DOUBLE_EQ(slow.total.count(), 16);
  EXPECT_DOUBLE_EQ(exposed(slow, Axis::context), 6);
}

TEST(BlockTime, BlocksAreSentAsTheyAreMade) {
  constexpr CollectiveKind scatter = CollectiveKind::reduce_scatter;
  const BlockTime hidden = time_of({compute(8, {block_input}), in_blocks(scatter, 4, {0}), compute(1, {1})});
  EXPECT_DOUBLE_EQ(hidden.total.count(), 10) << "the last block takes 1";
  EXPECT_DOUBLE_EQ(exposed(hidden, Axis::context), 1);
  const BlockTime slow = time_of({compute(8, {block_input}), in_blocks(scatter, 20, {0}), compute(1, {1})});
  EXPECT_DOUBLE_EQ(slow.total.count(), 23);
}

TEST(BlockTime, SlowdownsAndTheHost) {
  const BlockTime time = time_of({compute(2, {block_input}), exchange(3, {0}), compute(4, {1})}, {1, 1.5});
  EXPECT_DOUBLE_EQ(time.total.count(), 12);
  const auto seconds = [](int count) { return Time::from_ns(count * 1'000'000'000LL); };
  EXPECT_DOUBLE_EQ(launched_by_host(time, seconds(3), seconds(5)).total.count(), 12);
  const BlockTime late = launched_by_host(time, seconds(10), seconds(5));
  EXPECT_DOUBLE_EQ(late.total.count(), 25);
  EXPECT_DOUBLE_EQ(late.compute.count(), 9 + 13);
  EXPECT_DOUBLE_EQ((time * 2).total.count(), 24);
}

}  // namespace
}  // namespace orrery::core::block_time_test
