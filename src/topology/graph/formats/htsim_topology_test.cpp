#include <gtest/gtest.h>

#include "support/built_network.hpp"
#include "topology/graph/measures/bisection.hpp"
#include "topology/graph/measures/diameter.hpp"
#include "topology/graph/measures/reachability.hpp"

namespace orrery::core::test::htsim_topology_test {
namespace {

const std::string two_tiers =
    "# 4 leaves and 8 spines\nNodes 32\nTiers 2\nPodsize 32\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down "
    "8\n"
    "Radix_Up 8\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n\nTier 1\nDownlink_speed_Gbps "
    "100\nRadix_Down "
    "4\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n";
const std::string three_tiers =
    "NODES 16\nTIERS 3\nPODSIZE 8\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 2\n"
    "Oversubscribed 2\nDownlink_Latency_ns 500\nSwitch_Latency_ns 100\nTier 1\nDownlink_speed_Gbps 100\n"
    "Radix_Down 4\nRadix_Up 4\nBundle 2\nDownlink_Latency_ns 500\nSwitch_Latency_ns 200\nTier 2\n"
    "Downlink_speed_Gbps 100\nRadix_Down 2\nDownlink_Latency_ns 500\nSwitch_Latency_ns 301\n";

TEST(HtsimTopology, TwoTiersAreLeavesAndSpines) {
  const BuiltNetwork network = built(two_tiers);
  EXPECT_EQ(network.graph.npus(), 32U);
  EXPECT_EQ(network.graph.nodes(), 32U + 4 + 8);
  EXPECT_EQ(network.graph.links(), 2U * (32 + 32));
  EXPECT_EQ(network.groups, (std::vector{8, 4}));
  EXPECT_EQ(bisection_bandwidth(network.graph).bytes_per_ns(), 16 * 12.5);
}

TEST(HtsimTopology, ThreeTiersWithBundlesAndLatenciesOfSwitches) {
  const BuiltNetwork network = built(three_tiers);
  // 4 leaves of 4 hosts; 2 links up of each to one spine of its pod; 4 links up of that to a core each.
  EXPECT_EQ(network.graph.nodes(), 16U + 4 + 2 + 4);
  EXPECT_EQ(network.graph.links(), 2U * (16 + 8 + 8));
  EXPECT_EQ(network.groups, (std::vector{4, 2, 2}));
  EXPECT_TRUE(find_cuts(network.graph).empty());
  // Six links, and two leaves, two spines and a core.
  EXPECT_EQ(find_diameter(network.graph, Weight::latency).at_least,
            (6 * 500 + 2 * 100 + 2 * 200 + 301) * 1000);
}

TEST(HtsimTopology, WhatDoesNotFitIsSaidAtItsPlace) {
  EXPECT_EQ(
      refusal_of(changed(two_tiers, "Nodes 32", "Nodes 40")),
      "net.yaml:15:12: error: a switch leads to 4 nodes below, of 8 hosts each, but 40 hosts stand below it: "
      "correct `Radix_Down`, `Bundle`, `Podsize` or `Nodes`");
  EXPECT_EQ(
      refusal_of(changed(three_tiers, "Oversubscribed 2", "Oversubscribed 1")),
      "net.yaml:8:16: error: bandwidth down is 2 times that up: correct it, `Radix_Up` or `Radix_Down`");
  EXPECT_EQ(refusal_of(changed(changed(three_tiers, "Radix_Up 2", "Radix_Up 3"), "Oversubscribed 2", "")),
            "net.yaml:7:10: error: it is no multiple of the `Bundle` of the tier above, 2");
  EXPECT_EQ(refusal_of(changed(two_tiers, "Radix_Up 8\n", "")),
            "net.yaml: error: the key `radix_up` of tier 0 is missing");
  EXPECT_EQ(refusal_of(changed(two_tiers, "Tiers 2", "Tiers 4")),
            "net.yaml:3:7: error: a fat tree has 2 or 3 tiers");
  EXPECT_EQ(refusal_of(changed(two_tiers, "Tier 0\n", "")),
            "net.yaml:6:1: error: `Downlink_speed_Gbps` is a key of a tier: write a line such as `Tier 0` "
            "before it");
  EXPECT_EQ(refusal_of(changed(two_tiers, "Radix_Up 8", "Radix_Out 8")),
            "net.yaml:9:1: error: unknown key `Radix_Out`: leave it out");
  EXPECT_EQ(refusal_of(changed(two_tiers, "Radix_Up 8", "Radix_Up 8 8")),
            "net.yaml:9:1: error: a line is a key and a number: correct it");
}

TEST(HtsimTopology, QueuesHaveNoEffect) {
  Warnings warnings;
  read_graph_file(changed(two_tiers, "Radix_Up 8", "Radix_Up 8\nQueue_Up 100\nQueue_Down 100"), "net.topo",
                  warnings);
  ASSERT_EQ(warnings.lines().size(), 1U);
  EXPECT_EQ(warnings.lines()[0],
            "net.topo: warning: a network has no queues: `Queue_Up` and `Queue_Down` have no effect");
}

}  // namespace
}  // namespace orrery::core::test::htsim_topology_test
