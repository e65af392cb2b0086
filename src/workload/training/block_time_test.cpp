#include "workload/training/block_time.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace orrery::core::block_time_test {
namespace {

// So many seconds per operation of an elementwise operator.
class Clockwork final : public ComputeModel {
 public:
  explicit Clockwork(double seconds = 1) : seconds_(seconds) {}

  OperatorCost cost(const Operator& op) const override {
    OperatorCost cost;
    cost.flops = std::get<Elementwise>(op.work).flops;
    cost.seconds = cost.flops * seconds_;
    return cost;
  }

 private:
  double seconds_;
};

Step compute(double seconds, std::vector<int> waits) {
  return {"compute", StepPhase::forward, Operator{"op", Elementwise{seconds, 0, 0}, Datatype::bf16}, waits};
}

Step exchange(double seconds, std::vector<int> waits, Axis axis = Axis::tensor) {
  return {"exchange", StepPhase::forward, Exchange{axis, CollectiveKind::all_reduce, seconds}, waits};
}

BlockTime time_of(const std::vector<Step>& steps, const Slowdown& slowdown = {},
                  const ContendedDevice* contended = nullptr, StepTimes* times = nullptr) {
  const Clockwork model;
  return time_of_steps(
      steps, {model, slowdown, contended}, [](const Exchange& one) { return Seconds(one.bytes); }, times);
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

// Beside collectives, operators take 1.5 times as long. Collectives lose a fifth beside operators: they ask
// for 1.25 times of what the memory reaches.
ContendedDevice contended_clockwork() {
  Device device;
  device.memory_bandwidth = Bandwidth::from_gb_per_s(1);
  device.roofline.memory_efficiency = 1;
  constexpr double asked = 1.25e9;
  return {device, {1, asked}, std::make_shared<const Clockwork>(1.5)};
}

// The collective is under way from 2 to 2 + 5: four fifths of 5 are 4. Until then the second operator has
// done 5 / 1.5 of 6.
TEST(BlockTime, OperatorsAndCollectivesBesideEachOtherTakeLonger) {
  const ContendedDevice contended = contended_clockwork();
  StepTimes times;
  const BlockTime time =
      time_of({compute(2, {block_input}), exchange(4, {0}), compute(6, {0})}, {}, &contended, &times);
  EXPECT_NEAR(time.total.count(), 7 + 6 - 5 / 1.5, 1e-9);
  EXPECT_NEAR(time.contended.count(), 5 - 5 / 1.5, 1e-9);
  EXPECT_NEAR(times.contended[2].count(), 5 - 5 / 1.5, 1e-9);
  EXPECT_DOUBLE_EQ(times.contended[0].count(), 0);
  EXPECT_DOUBLE_EQ(time.compute.count(), time.total.count());
  EXPECT_DOUBLE_EQ(time.without_communication.count(), 8);
  EXPECT_DOUBLE_EQ(exposed(time, Axis::tensor), 0);
}

// What it has lost when the operator ends is made up for at full speed: it has done 0.8 * 3 of 4.
TEST(BlockTime, CollectivesThatAreWaitedForHaveLostBesideOperators) {
  const ContendedDevice contended = contended_clockwork();
  const BlockTime time = time_of(
      {compute(1, {block_input}), exchange(4, {0}), compute(2, {0}), compute(1, {1})}, {}, &contended);
  EXPECT_NEAR(exposed(time, Axis::tensor), 1.6, 1e-9);
  EXPECT_NEAR(time.total.count(), 1 + 3 + 1.6 + 1, 1e-9);
}

// Beside a collective that is under way all along, the block's own one changes nothing for operators.
TEST(BlockTime, KnowsWhatACollectiveBesideItCosts) {
  const ContendedDevice contended = contended_clockwork();
  const BlockTime time =
      time_of({compute(2, {block_input}), exchange(4, {0}), compute(6, {0})}, {}, &contended);
  EXPECT_NEAR(time.beside.count(), 12, 1e-9);
  EXPECT_NEAR(time.lag.count(), 12 * 0.2, 1e-9);
  const Contention contention = contention_of(time);
  EXPECT_EQ(contention.slows_by_ppm, 200'000u);
  EXPECT_EQ(contention.longer, time.beside.rounded() - time.total.rounded());
  EXPECT_EQ(contention.within, time.contended.rounded());
}

TEST(BlockTime, AHostThatIsBehindHidesContention) {
  const ContendedDevice contended = contended_clockwork();
  const BlockTime time =
      time_of({compute(2, {block_input}), exchange(4, {0}), compute(6, {0})}, {}, &contended);
  const BlockTime late = launched_by_host(time, Time::from_ns(10'000'000'000), Time());
  EXPECT_DOUBLE_EQ(late.total.count(), 20);
  EXPECT_EQ(contention_of(late).longer, Time());
  EXPECT_EQ(contention_of(late).within, Time());
}

}  // namespace
}  // namespace orrery::core::block_time_test
