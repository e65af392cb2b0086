#include "collective/messages/exchange_table.hpp"

#include <gtest/gtest.h>

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core::exchange_table_test {
namespace {

PhaseShape shape_of(Algorithm algorithm, CollectiveKind kind, const LogicalDimension& group) {
  PhaseRequest request;
  request.kind = kind;
  request.input = Bytes(1 << 20);
  request.members = static_cast<std::uint32_t>(group.size);
  return {group, algorithm->make(request), {}, {}};
}

// The schedule's words: to position + amount and from position - amount, or to and from position ^ amount.
void expect_peers_of_schedule(const PhaseShape& shape, int npus) {
  const auto& schedule = std::get<ExchangeSchedule>(shape.schedule);
  const ExchangeTable table(shape);
  const LogicalDimension& group = shape.group;
  for (int npu = 0; npu < npus; ++npu) {
    const int x = group.position(npu);
    for (std::uint32_t k = 0; k < table.messages; ++k) {
      const auto& step = schedule.steps[k % schedule.steps.size()];
      const int amount = static_cast<int>(step.amount);
      const bool shift = schedule.peer == ExchangeSchedule::Peer::shift;
      const int to = shift ? (x + amount) % group.size : x ^ amount;
      const int from = shift ? (x - amount + group.size) % group.size : x ^ amount;
      const RankId rank(npu);
      const auto position = static_cast<std::uint32_t>(x);
      EXPECT_EQ(npu_of(table.receiver(rank, position, table.step(k))), group.base(npu) + to * group.stride);
      EXPECT_EQ(npu_of(table.sender(rank, position, table.step(k))), group.base(npu) + from * group.stride);
      EXPECT_EQ(table.step(k).bytes, step.bytes);
    }
  }
}

TEST(ExchangeTable, NamesThePeersOfTheSchedule) {
  using enum CollectiveKind;
  expect_peers_of_schedule(shape_of(&ring_algorithm, all_reduce, {1, 5, 0}), 15);
  expect_peers_of_schedule(shape_of(&ring_algorithm, all_gather, {3, 4, 0}), 24);
  expect_peers_of_schedule(shape_of(&direct_algorithm, all_reduce, {3, 5, 0}), 30);
  expect_peers_of_schedule(shape_of(&halving_doubling_algorithm, all_reduce, {3, 8, 0}), 48);
}

TEST(ExchangeTable, CountsTheMessagesThatAreSentBeforeTheGate) {
  using enum CollectiveKind;
  const ExchangeTable gated(shape_of(&direct_algorithm, all_reduce, {1, 5, 0}));
  EXPECT_EQ(gated.messages, 8u);
  EXPECT_EQ(gated.ungated(), 4u);
  const ExchangeTable ring(shape_of(&ring_algorithm, all_reduce, {1, 5, 0}));
  EXPECT_EQ(ring.ungated(), ring.messages);
}

TEST(ExchangeTable, HasTimesByStep) {
  PhaseShape shape = shape_of(&direct_algorithm, CollectiveKind::all_reduce, {1, 3, 0});
  EXPECT_EQ(ExchangeTable(shape).step(0).duration, ExchangeTable::depends_on_members);
  EXPECT_FALSE(ExchangeTable(shape).reduces(2));
  shape.durations = {7, 9};
  shape.reductions = {Time::from_ns(1), Time::from_ns(2)};
  const ExchangeTable table(shape);
  EXPECT_EQ(table.step(0).duration, 7);
  EXPECT_EQ(table.step(3).duration, 9);
  EXPECT_EQ(table.step(2).reduction, Time::from_ns(1));
  // Two peers: preparations 0 and 1 are of own data, 2 and 3 reduce what came, 4 and 5 end the phase.
  for (std::uint32_t k = 0; k < 6; ++k) EXPECT_EQ(table.reduces(k), k == 2 || k == 3) << k;
}

TEST(ExchangeTable, RefusesPhasesThatAreTooLong) {
  PhaseShape shape = shape_of(&ring_algorithm, CollectiveKind::all_reduce, {1, 4, 0});
  std::get<ExchangeSchedule>(shape.schedule).messages = 1ull << 32;
  EXPECT_THROW(ExchangeTable{shape}, InputError);
}

}  // namespace
}  // namespace orrery::core::exchange_table_test
