// Tests the bus between NPU and memory (docs/models/shared-bus.md). Expected are the finish times of
// ASTRA-sim 1.0.
#include <gtest/gtest.h>

#include "support/one_collective.hpp"

namespace orrery::core::test::shared_bus_test {
namespace {

Dimension half_microsecond(Block block, int size, int links) {
  return make_dimension(block, size, links, Bandwidth::from_gib_per_s(50), 500);
}

// In these cases the layer has a delay of 1 ns behind the collective.
double finish_ns(Machine machine, const SharedBusConfig& bus, std::uint64_t size) {
  machine.system.shared_bus = bus;
  machine.system.chunks = 4;
  return simulate_one(machine, CollectiveKind::all_reduce, Bytes(size), Time::from_ns(1)).finish[0].ns();
}

TEST(SharedBus, Ring) {
  const Machine machine = make_machine({half_microsecond(Block::ring, 4, 2)}, {{&ring_algorithm}});
  EXPECT_EQ(finish_ns(machine, {5, 7, 20, 0.0038F, 2}, 65536), 18281);
}

TEST(SharedBus, HalvingDoublingAndDirectWithTwoChunksActive) {
  Machine machine =
      make_machine({half_microsecond(Block::switched, 4, 1), half_microsecond(Block::fully_connected, 3, 2)},
                   {{&halving_doubling_algorithm}, {&direct_algorithm}});
  machine.system.active_chunks = 2;
  EXPECT_EQ(finish_ns(machine, {1, 0, 50, 0.01F, 1}, 262144), 18660);
}

TEST(SharedBus, DoubleBinaryTree) {
  const Machine machine =
      make_machine({half_microsecond(Block::switched, 8, 1)}, {{&double_binary_tree_algorithm}});
  EXPECT_EQ(finish_ns(machine, {20, 1, 3, 0.001F, 3}, 65536), 56149);
}

// Natively a reduction takes no time of its own, but on the bus it does.
TEST(SharedBus, ReducesInTheNativeDialectToo) {
  Machine machine = make_machine({half_microsecond(Block::ring, 4, 2)}, {{&ring_algorithm}});
  machine.dialect = native_dialect;
  EXPECT_GT(finish_ns(machine, {5, 7, 20, 0.0038F, 1000}, 65536),
            finish_ns(machine, {5, 7, 20, 0.0038F, 2}, 65536) + 3 * 40 * 998);
}

TEST(SharedBus, ReplacesTheEndpointDelay) {
  Machine machine = make_machine({half_microsecond(Block::ring, 4, 2)}, {{&ring_algorithm}});
  machine.system.endpoint_delay = Time::from_ns(1000);
  EXPECT_EQ(finish_ns(machine, {5, 7, 20, 0.0038F, 2}, 65536), 18281);
}

// Nothing costs but the inner bus, 0.0038 ns per byte: 499 * 0.0038 = 1.8962 ns on the way out, and as much
// after the message of 200 + 500 ns.
TEST(SharedBus, CutsToWholeNanosecondsInTheDialectThatDoes) {
  Machine machine = make_machine({make_dimension(Block::switched, 2, 1, Bandwidth::from_gb_per_s(1), 100)},
                                 {{&direct_algorithm}});
  machine.system.shared_bus = SharedBusConfig{0, 0, 0, 0, 1};
  EXPECT_EQ(simulate_one(machine, CollectiveKind::all_gather, Bytes(500)).finish[0],
            Time::from_ns(1 + 700 + 1));
  machine.dialect = native_dialect;
  EXPECT_EQ(simulate_one(machine, CollectiveKind::all_gather, Bytes(500)).finish[0],
            Time::from_ns(700) + Time::from_ps(2 * 1896));
}

}  // namespace
}  // namespace orrery::core::test::shared_bus_test
