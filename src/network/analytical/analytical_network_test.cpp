#include "network/analytical/analytical_network.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::analytical_network_test {
namespace {

Dimension dimension(Block block, int size, int links, double gib_per_s, double latency_ns) {
  Dimension made;
  made.name = "d";
  made.block = block;
  made.size = size;
  made.links = links;
  made.link_bandwidth = Bandwidth::from_gib_per_s(gib_per_s);
  made.link_latency_ns = latency_ns;
  return made;
}

double ns(const Topology& topology, int destination, std::uint64_t bytes,
          const Dialect& dialect = astra_sim_1_dialect) {
  const AnalyticalNetwork network(topology, dialect);
  return network.clock().time(network.duration(0, destination, Bytes(bytes))).ns();
}

// The expected durations are ASTRA-sim 1.0's own (docs/models/network-analytical.md, Rounding).
TEST(AnalyticalNetwork, ChargesHopsAndBothDirectionsOfARing) {
  const Topology topology{{dimension(Block::ring, 8, 2, 50, 500)}};
  EXPECT_EQ(ns(topology, 1, 131072), 1720);
  EXPECT_EQ(ns(topology, 7, 131072), 1720);
  EXPECT_EQ(ns(topology, 4, 131072), 3220);
}

Topology nic_ring() {
  Topology topology{{dimension(Block::ring, 4, 2, 50, 500.6)}};
  topology.dimensions[0].nic_latency_ns = 0.7;
  return topology;
}

TEST(AnalyticalNetwork, CutsAfterEveryTermInWholeNanoseconds) {
  EXPECT_EQ(ns(nic_ring(), 1, 262144), 2942);  // 500.6, 2441.4, 1.4 -> 500, 2941, 2942
}

TEST(AnalyticalNetwork, RoundsOnceToPicosecondsInTheNativeDialect) {
  // 2^18 bytes over 2 * 50 GiB/s are 10^7 / 2^12 ns: 500.6 + 2441.40625 + 1.4 = 2943.40625
  EXPECT_EQ(ns(nic_ring(), 1, 262144, native_dialect), 2943.406);
}

TEST(AnalyticalNetwork, ChargesNicsTwiceAndASwitchsRouterOnce) {
  Topology topology{{dimension(Block::switched, 4, 3, 50, 500.5)}};
  topology.dimensions[0].nic_latency_ns = 3.25;
  topology.dimensions[0].router_latency_ns = 10.5;
  EXPECT_EQ(ns(topology, 1, 524288), 4272);
  EXPECT_EQ(ns(topology, 3, 262144), 2644);
  // The same dimension as a ring: one hop, no router, 2 of 3 links: 500 + 4882.8 + 6.5.
  topology.dimensions[0].block = Block::ring;
  EXPECT_EQ(ns(topology, 1, 524288), 5388);
}

TEST(AnalyticalNetwork, SharesLinksAmongThePeersOfAFullConnection) {
  // 6 links to 3 peers: 2 of 50 GiB/s; 500 + 1220.7
  EXPECT_EQ(ns({{dimension(Block::fully_connected, 4, 6, 50, 500)}}, 2, 131072), 1720);
}

TEST(AnalyticalNetwork, LeavesTheMemoryTermFractional) {
  Topology topology{{dimension(Block::switched, 4, 1, 50, 500)}};
  Dimension& only = topology.dimensions[0];
  only.router_latency_ns = 10;
  only.hbm_latency_ns = 500;
  only.hbm_bandwidth = Bandwidth::from_gb_per_s(10);
  only.hbm_scale = 1;
  const AnalyticalNetwork network(topology, astra_sim_1_dialect);
  EXPECT_DOUBLE_EQ(std::bit_cast<double>(network.duration(0, 1, Bytes(524288))), 52928.8);
  EXPECT_DOUBLE_EQ(std::bit_cast<double>(network.duration(0, 1, Bytes(262144))), 26714.4);
  EXPECT_EQ(ns(topology, 1, 262144, native_dialect), 26714.4);
  only.hbm_bandwidth = Bandwidth::from_gb_per_s(1000);  // now the links take longer: 1000 + 9765.6 + 10
  EXPECT_EQ(ns(topology, 1, 524288), 10775);
}

TEST(AnalyticalNetwork, ChargesOnlyTheHighestDimensionThatDiffers) {
  Topology topology{{dimension(Block::ring, 4, 2, 25, 1000), dimension(Block::switched, 2, 1, 25, 1000)}};
  topology.dimensions[1].router_latency_ns = 30;
  const AnalyticalNetwork network(topology, astra_sim_1_dialect);
  EXPECT_EQ(ns(topology, 4, 131072), 6912);
  EXPECT_EQ(ns(topology, 6, 131072), 6912);  // also two hops away in dimension 0
  EXPECT_EQ(ns(topology, 2, 131072), 4441);  // 2000 + 2441.4
  EXPECT_EQ(network.carrying_dimension(0, 6), 1);
  EXPECT_EQ(network.carrying_dimension(5, 6), 0);
  EXPECT_EQ(network.carrying_dimension(3, 3), -1);
  EXPECT_EQ(network.duration(3, 3, Bytes(131072)), 0);
}

TEST(AnalyticalNetwork, IsUniformUnlessAGroupIsAPartOfARingOrCrossesDimensions) {
  const Topology topology{{dimension(Block::ring, 8, 2, 50, 500), dimension(Block::switched, 8, 1, 50, 500)}};
  const AnalyticalNetwork network(topology, native_dialect);
  EXPECT_TRUE(network.is_uniform({1, 8, 0}));
  EXPECT_TRUE(network.is_uniform({8, 8, 1}));
  EXPECT_TRUE(network.is_uniform({8, 4, 1}));
  EXPECT_FALSE(network.is_uniform({1, 4, 0}));
  EXPECT_FALSE(network.is_uniform({1, 64, -1}));
}

// The promise of is_uniform(): going around a group, equal steps take equally long, from whatever member.
TEST(AnalyticalNetwork, UniformGroupsAreUniform) {
  for (Block block : {Block::ring, Block::fully_connected, Block::switched}) {
    const Topology topology{{dimension(block, 8, 14, 50, 500), dimension(block, 3, 4, 20, 70)}};
    const AnalyticalNetwork network(topology, native_dialect);
    for (const LogicalDimension& group : logical_dimensions(topology)) {
      ASSERT_TRUE(network.is_uniform(group));
      for (int npu = 0; npu < topology.npus(); ++npu) {
        for (int step = 1; step < group.size; ++step) {
          const int peer = group.base(npu) + (group.position(npu) + step) % group.size * group.stride;
          EXPECT_EQ(network.duration(npu, peer, Bytes(4096)),
                    network.duration(0, step * group.stride, Bytes(4096)));
        }
      }
    }
  }
}

TEST(AnalyticalNetwork, RefusesMessagesOfMoreThanTenDays) {
  EXPECT_THROW(ns({{dimension(Block::ring, 2, 2, 1e-9, 500)}}, 1, 1 << 30), InputError);
  EXPECT_THROW(ns({{dimension(Block::ring, 2, 0, 50, 500)}}, 1, 1 << 30),
               InputError);  // no link: infinitely long
}

// Over 2 * 50 GiB/s, 2^18 bytes take 2441.4 ns; three times as long from or to a slow NPU.
TEST(AnalyticalNetwork, SlowLinksStretchTheBytesOfWhatPassesThem) {
  const Topology topology{{dimension(Block::ring, 4, 2, 50, 500), dimension(Block::ring, 2, 2, 50, 500)}};
  const AnalyticalNetwork network(topology, native_dialect, {{0, {1}, 3.0}, {0, {2}, 1.5}, {0, {2}, 1.5}});
  const auto ns = [&](int source, int destination) {
    return network.clock().time(network.duration(source, destination, Bytes(262144))).ns();
  };
  const double usual = 2441.40625;
  EXPECT_NEAR(ns(3, 0), 500 + usual, 0.001);
  EXPECT_NEAR(ns(0, 1), 500 + 3 * usual, 0.001);
  EXPECT_NEAR(ns(1, 0), 500 + 3 * usual, 0.001);
  EXPECT_NEAR(ns(3, 2), 500 + 2.25 * usual, 0.001);  // factors of one NPU multiply
  EXPECT_NEAR(ns(1, 2), 500 + 3 * usual, 0.001);     // of two, the larger counts
  EXPECT_NEAR(ns(1, 5), 500 + usual, 0.001);         // through the other dimension
  const auto dimensions = logical_dimensions(topology);
  EXPECT_TRUE(network.has_slow_links(dimensions[0]));
  const GroupKinds kinds = network.kinds_of_groups(dimensions[0]);
  EXPECT_FALSE(kinds.even(kinds.of(1)));
  EXPECT_TRUE(kinds.even(kinds.of(5)));
  EXPECT_FALSE(network.has_slow_links(dimensions[1]));
  EXPECT_FALSE(network.kinds_of_groups({1, 8, -1}).all_even());
}

// If all links of a dimension are slow, it is a slower dimension.
TEST(AnalyticalNetwork, EquallySlowLinksAreUniform) {
  const Topology topology{{dimension(Block::ring, 4, 2, 50, 500)}};
  const AnalyticalNetwork network(topology, native_dialect, {{0, {0, 1, 2, 3}, 4.0}});
  const Topology slower{{dimension(Block::ring, 4, 2, 12.5, 500)}};
  EXPECT_FALSE(network.has_slow_links(logical_dimensions(topology)[0]));
  EXPECT_EQ(network.duration(0, 1, Bytes(262144)),
            AnalyticalNetwork(slower, native_dialect).duration(0, 1, Bytes(262144)));
}

}  // namespace
}  // namespace orrery::core::analytical_network_test
