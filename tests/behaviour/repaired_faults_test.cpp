// On these inputs ASTRA-sim 1.0's tutorial version hangs or loses a message. The expected times are those
// that its later branch gives, or those of a model without the fault (docs/models/collectives.md, Matching).
#include <gtest/gtest.h>

#include "support/one_collective.hpp"

namespace orrery::core::test::repaired_faults_test {
namespace {

using enum CollectiveKind;
constexpr AlgorithmChoice ring{&ring_algorithm, 0, false}, ring_over_all{&ring_algorithm, 0, true};

Dimension dimension(Block block, int size, int links, double gib_per_s, double latency_ns) {
  return make_dimension(block, size, links, Bandwidth::from_gib_per_s(gib_per_s), latency_ns);
}

// MICRO adds a delay of 1 ns behind the collective in these inputs.
std::int64_t finish_ns(Machine machine, CollectiveKind kind, std::uint64_t bytes, int chunks) {
  machine.system.chunks = chunks;
  return simulate_one(machine, kind, Bytes(bytes), Time::from_ns(1)).finish[0].whole_ns();
}

TEST(RepairedFaults, ChunksThatDoNotDivideACollectiveEndWithTheRemainder) {
  const Machine ring8 = make_machine({dimension(Block::ring, 8, 2, 50, 500)}, {ring});
  EXPECT_EQ(finish_ns(ring8, all_reduce, 11, 4), 42'901);  // 2 + 2 + 2 + 2 + 2 + 1 bytes
  EXPECT_EQ(finish_ns(ring8, all_reduce, 1'000'003, 4), 52'047);
  const Machine full =
      make_machine({dimension(Block::fully_connected, 8, 7, 50, 500)}, {{&direct_algorithm, 0, false}});
  EXPECT_EQ(finish_ns(full, all_to_all, 1'000'003, 4), 4'929);
}

TEST(RepairedFaults, RemaindersPassSeveralDimensions) {
  Machine machine = make_machine(
      {dimension(Block::ring, 4, 2, 50, 500), dimension(Block::switched, 4, 1, 50, 500)}, {ring, ring});
  EXPECT_EQ(finish_ns(machine, all_reduce, 1'000'003, 4), 42'161);
  machine.system.dimension_order = DimensionOrder::themis;
  EXPECT_EQ(finish_ns(machine, all_reduce, 1'000'003, 4), 44'409);
}

// A ring over links of unequal speed lets a member run two steps ahead: both its messages have to arrive.
TEST(RepairedFaults, NoMessageIsLostOnARingOfUnequalHops) {
  const Machine switches =
      make_machine({dimension(Block::switched, 4, 1, 50, 10), dimension(Block::switched, 4, 1, 50, 1000)},
                   {ring_over_all});
  EXPECT_EQ(finish_ns(switches, all_reduce, 1'048'576, 4), 103'601);
  EXPECT_EQ(finish_ns(switches, all_reduce, 1024, 4), 67'001);
  Machine n21 = make_machine(
      {dimension(Block::ring, 4, 2, 50, 100), dimension(Block::switched, 2, 1, 25, 1000)}, {ring_over_all});
  n21.topology.dimensions[1].router_latency_ns = 30;
  EXPECT_EQ(finish_ns(n21, all_reduce, 1'048'576, 1), 40'999);
}

}  // namespace
}  // namespace orrery::core::test::repaired_faults_test
