// Nodes, links and degrees of built networks against the formulas of their forms.
#include "topology/graph/builders/network_builders.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "support/built_network.hpp"
#include "topology/graph/measures/reachability.hpp"

namespace orrery::core::test::network_builders_test {
namespace {

const std::string link_map = "link: { bandwidth: 50 GB/s, latency: 1 us }";

std::size_t count_of(const NetworkGraph& graph, std::string_view stem) {
  std::size_t count = 0;
  for (const NodeId node : graph.all_nodes())
    count += graph.node(node).name.find_first_of("0123456789") == stem.size() &&
             graph.node(node).name.starts_with(stem);
  return count;
}

// Returns the number of links of every node of a stem; -1 when they differ.
int degree_of(const NetworkGraph& graph, std::string_view stem) {
  int degree = 0;
  for (const NodeId node : graph.all_nodes()) {
    if (!graph.node(node).name.starts_with(stem)) continue;
    const int links = static_cast<int>(graph.links_from(node).size());
    if (degree != 0 && degree != links) return -1;
    degree = links;
  }
  return degree;
}

TEST(NetworkBuilders, EveryBuilderHasItsOwnName) {
  for (const NetworkBuilder* a : network_builders)
    for (const NetworkBuilder* b : network_builders) EXPECT_TRUE(a == b || a->name != b->name) << a->name;
}

TEST(NetworkBuilders, RingOfOneTwoAndMore) {
  EXPECT_EQ(built("build: ring\nsize: 1\n" + link_map).graph.links(), 0U);
  EXPECT_EQ(built("build: ring\nsize: 2\n" + link_map).graph.links(), 2U);
  const BuiltNetwork ring = built("build: ring\nsize: 7\n" + link_map);
  EXPECT_EQ(ring.graph.links(), 14U);
  EXPECT_EQ(degree_of(ring.graph, "npu"), 2);
  EXPECT_TRUE(ring.graph.node(NodeId(3)).forwards);
  EXPECT_EQ(ring.groups, std::vector{7});
  EXPECT_TRUE(find_cuts(ring.graph).empty());
}

TEST(NetworkBuilders, TorusAndMeshOfSeveralDimensions) {
  const std::string dimensions = "dimensions: [ { size: 4 }, { size: 3 }, { size: 2 } ]\n" + link_map;
  const BuiltNetwork torus = built("build: torus\n" + dimensions), mesh = built("build: mesh\n" + dimensions);
  // A dimension of n has n cables in each of its lines if it wraps and n is above 2, else n - 1.
  EXPECT_EQ(torus.graph.links(), 2U * (4 * 6 + 3 * 8 + 1 * 12));
  EXPECT_EQ(mesh.graph.links(), 2U * (3 * 6 + 2 * 8 + 1 * 12));
  EXPECT_EQ(degree_of(torus.graph, "npu"), 2 + 2 + 1);
  EXPECT_EQ(torus.groups, (std::vector{4, 3, 2}));
  EXPECT_TRUE(find_cuts(torus.graph).empty());
  EXPECT_TRUE(find_cuts(mesh.graph).empty());
}

TEST(NetworkBuilders, ADimensionHasALinkOfItsOwnAndMayNotWrap) {
  const BuiltNetwork torus = built(
      "{ build: torus, link: { bandwidth: 50 GB/s, latency: 1 us }, dimensions: [ { size: 3 }, { size: 3, "
      "wrap: false, link: { bandwidth: 25 GB/s, latency: 2 us, count: 2 } } ] }");
  EXPECT_EQ(torus.graph.links(), 2U * (3 * 3 + 2 * 2 * 3));
  double total = 0;
  for (const LinkId link : torus.graph.links_from(NodeId(4)))
    total += torus.graph.link(link).bandwidth.bytes_per_ns();
  EXPECT_EQ(total, 2 * 50 + 4 * 25);
}

TEST(NetworkBuilders, SwitchAndFullyConnected) {
  const BuiltNetwork star = built("build: switch\nsize: 5\n" + link_map);
  EXPECT_EQ(star.graph.nodes(), 6U);
  EXPECT_EQ(degree_of(star.graph, "switch"), 5);
  EXPECT_FALSE(star.graph.node(NodeId(0)).forwards);
  const BuiltNetwork full = built("build: fully-connected\nsize: 5\n" + link_map);
  EXPECT_EQ(full.graph.links(), 5U * 4);
  EXPECT_FALSE(full.graph.node(NodeId(0)).forwards);
  EXPECT_TRUE(find_cuts(full.graph).empty());
}

TEST(NetworkBuilders, FatTreeOfSwitchesWithAsManyPorts) {
  // The 3-level tree of switches with k = 8 ports: k^3 / 4 hosts, k^2 / 2 leaves, as many spines, k^2 / 4
  // cores.
  const BuiltNetwork tree =
      built("build: fat-tree\nlevels: [ { size: 4 }, { size: 4 }, { size: 8 } ]\n" + link_map);
  EXPECT_EQ(tree.graph.npus(), 128U);
  EXPECT_EQ(count_of(tree.graph, "leaf"), 32U);
  EXPECT_EQ(count_of(tree.graph, "spine"), 32U);
  EXPECT_EQ(count_of(tree.graph, "core"), 16U);
  for (const char* stem : {"leaf", "spine", "core"}) EXPECT_EQ(degree_of(tree.graph, stem), 8) << stem;
  EXPECT_EQ(tree.groups, (std::vector{4, 4, 8}));
  EXPECT_TRUE(find_cuts(tree.graph).empty());
}

TEST(NetworkBuilders, OversubscriptionAndParallelUplinksOfAFatTree) {
  const BuiltNetwork tree = built(
      "{ build: fat-tree, levels: [ { size: 16, link: { bandwidth: 25 GB/s, latency: 1 us } }, { size: 6, "
      "oversubscription: 2, link: { bandwidth: 50 GB/s, latency: 1 us, count: 2 } } ] }");
  // 16 links of 25 GB/s down, so 4 links of 50 GB/s up, two to each spine.
  EXPECT_EQ(count_of(tree.graph, "leaf"), 6U);
  EXPECT_EQ(count_of(tree.graph, "spine"), 2U);
  EXPECT_EQ(degree_of(tree.graph, "leaf"), 16 + 4);
  EXPECT_EQ(degree_of(tree.graph, "spine"), 12);
}

TEST(NetworkBuilders, RailsMeetAboveTheLeavesOrInTheHosts) {
  const std::string rest =
      "inside: { build: switch, size: 4, link: { bandwidth: 450 GB/s, latency: 300 ns } }\n" + link_map;
  const BuiltNetwork optimized =
      built("build: rail-optimized\nlevels: [ { size: 8 }, { size: 3, oversubscription: 4 } ]\n" + rest);
  EXPECT_EQ(optimized.graph.npus(), 4U * 8 * 3);
  EXPECT_EQ(count_of(optimized.graph, "leaf"), 4U * 3);
  EXPECT_EQ(count_of(optimized.graph, "spine"), 2U);
  EXPECT_EQ(degree_of(optimized.graph, "leaf"), 8 + 2);
  EXPECT_EQ(degree_of(optimized.graph, "spine"), 12);
  EXPECT_FALSE(optimized.graph.node(NodeId(0)).forwards);
  EXPECT_EQ(optimized.groups, (std::vector{4, 8, 3}));

  const BuiltNetwork only =
      built("build: rail-only\nlevels: [ { size: 8 }, { size: 3, oversubscription: 4 } ]\n" + rest);
  EXPECT_EQ(count_of(only.graph, "spine"), 4U * 2);
  EXPECT_EQ(degree_of(only.graph, "spine"), 3);
  EXPECT_TRUE(only.graph.node(NodeId(0)).forwards);

  const BuiltNetwork flat = built("build: rail-only\nlevels: [ { size: 8 } ]\n" + rest);
  EXPECT_EQ(count_of(flat.graph, "leaf"), 4U);
  for (const BuiltNetwork* network : {&optimized, &only, &flat})
    EXPECT_TRUE(find_cuts(network->graph).empty());
  // NPU 1 of the first host has a leaf with NPU 1 of the second.
  EXPECT_EQ(flat.graph.link(flat.graph.links_from(NodeId(1))[1]).to,
            flat.graph.link(flat.graph.links_from(NodeId(5))[1]).to);
}

TEST(NetworkBuilders, DragonflyOfBalancedSize) {
  // h global links, h hosts and 2h routers of a group make 2h * h + 1 groups with a link between any two.
  const std::string links =
      "host-link: { bandwidth: 25 GB/s, latency: 1 us }\nlocal-link: { bandwidth: 25 GB/s, latency: 1 us }\n"
      "global-link: { bandwidth: 25 GB/s, latency: 2 us }\n";
  const BuiltNetwork network =
      built("build: dragonfly\ngroups: 9\nrouters: 4\nhosts: 2\nglobal-links: 2\n" + links);
  EXPECT_EQ(network.graph.npus(), 72U);
  EXPECT_EQ(degree_of(network.graph, "router"), 2 + 3 + 2);
  EXPECT_EQ(network.groups, (std::vector{2, 4, 9}));
  EXPECT_TRUE(find_cuts(network.graph).empty());
  // Exactly one pair of routers joins any two groups.
  std::map<std::pair<std::size_t, std::size_t>, int> between;
  for (const LinkId link : network.graph.all_links()) {
    const std::size_t from = network.graph.link(link).from.index(), to = network.graph.link(link).to.index();
    if (from < 72 || to < 72) continue;
    ++between[{(from - 72) / 4, (to - 72) / 4}];
  }
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = 0; b < 9; ++b) EXPECT_EQ((between[{a, b}]), a == b ? 4 * 3 : 1) << a << " " << b;
  EXPECT_EQ(
      refusal_of("build: dragonfly\ngroups: 9\nrouters: 3\nhosts: 2\nglobal-links: 2\n" + links),
      "net.yaml:1:1: error: a group has 6 global links for 8 other groups, which cannot be shared evenly: "
      "choose `routers` times `global-links` as a multiple of `groups` - 1, up to 16777216");
  // Even numbers of groups have a group at half the distance, and several links may join the same groups.
  EXPECT_EQ(
      degree_of(built("build: dragonfly\ngroups: 4\nrouters: 3\nhosts: 1\nglobal-links: 2\n" + links).graph,
                "router"),
      1 + 2 + 2);
}

TEST(NetworkBuilders, BoxesOfNvlinkSwitches) {
  const std::string link = "link: { bandwidth: 25 GB/s, latency: 100 ns }\n";
  const NetworkGraph dgx_2 =
      built("build: nvlink\nsize: 16\nswitches: 12\nlinks: 6\nboards: 2\n" + link).graph;
  EXPECT_EQ(degree_of(dgx_2, "npu"), 6);
  EXPECT_EQ(degree_of(dgx_2, "nvswitch"), 8 + 8);
  EXPECT_TRUE(find_cuts(dgx_2).empty());
  const NetworkGraph hgx = built("build: nvlink\nsize: 8\nswitches: 4\nlinks: 18\n" + link).graph;
  EXPECT_EQ(degree_of(hgx, "npu"), 18);
  EXPECT_EQ(hgx.links(), 2U * 8 * 18);
  const NetworkGraph rack = built("build: nvlink\nsize: 72\nswitches: 18\nlinks: 18\n" + link).graph;
  EXPECT_EQ(degree_of(rack, "nvswitch"), 72);
  EXPECT_EQ(refusal_of("build: nvlink\nsize: 16\nswitches: 11\nlinks: 6\nboards: 2\n" + link),
            "net.yaml:3:11: error: `switches` has to be a multiple of the number of boards, 2");
}

TEST(NetworkBuilders, NicsAreThePortsOfABox) {
  const auto of_nics = [](int nics) {
    return built(
               "{ build: rail-optimized, levels: [ { size: 4 } , { size: 2 } ], link: { bandwidth: 50 GB/s, "
               "latency: 1 us }, inside: { build: nvlink, size: 8, switches: 4, links: 4, link: { bandwidth: "
               "25 "
               "GB/s, latency: 100 ns }, nics: { count: " +
               std::to_string(nics) + ", link: { bandwidth: 64 GB/s, latency: 500 ns } } } }")
        .graph;
  };
  const NetworkGraph one = of_nics(8), half = of_nics(4), two = of_nics(16);
  EXPECT_EQ(count_of(one, "leaf"), 8U * 2);
  EXPECT_EQ(count_of(half, "leaf"), 4U * 2);
  EXPECT_EQ(count_of(two, "leaf"), 16U * 2);
  EXPECT_EQ(degree_of(one, "nic"), 2);
  EXPECT_EQ(degree_of(half, "nic"), 3);
  EXPECT_EQ(degree_of(two, "npu"), 4 + 2);
  for (const NetworkGraph* graph : {&one, &half, &two}) EXPECT_TRUE(find_cuts(*graph).empty());
  EXPECT_EQ(refusal_of("build: nvlink\nsize: 8\nswitches: 1\nlinks: 1\n" + link_map +
                       "\nnics: { count: 3, link: { bandwidth: 64 GB/s, latency: 500 ns } }\n"),
            "net.yaml:6:7: error: 3 NICs cannot be dealt evenly to 8 NPUs: choose a `count` that is a "
            "multiple or a "
            "divisor of their number");
}

TEST(NetworkBuilders, TheHybridCubeMeshOfADgx1) {
  const NetworkGraph graph = built(
                                 "{ build: dgx-1v, nvlink: { bandwidth: 25 GB/s, latency: 0 ns }, pcie: { "
                                 "bandwidth: 16 GB/s, latency: "
                                 "0 ns }, cpus: { bandwidth: 20 GB/s, latency: 0 ns } }")
                                 .graph;
  EXPECT_EQ(degree_of(graph, "npu"), 6 + 1);
  EXPECT_EQ(degree_of(graph, "pcie"), 4);
  EXPECT_EQ(count_of(graph, "nic"), 4U);
  EXPECT_TRUE(find_cuts(graph).empty());
}

TEST(NetworkBuilders, FewerGpusAndMoreNvlinksOfADgx1) {
  const auto dgx_1 = [](const std::string& keys) {
    return built(
        "{ build: dgx-1v, nvlink: { bandwidth: 25 GB/s, latency: 0 ns }, pcie: { bandwidth: 16 GB/s, "
        "latency: 0 ns }, cpus: { bandwidth: 20 GB/s, latency: 0 ns }, " +
        keys + " }");
  };
  const BuiltNetwork four = dgx_1("gpus: 4");
  EXPECT_EQ(four.groups, std::vector{4});
  EXPECT_EQ(four.graph.links(), 2U * (9 + 4 * 3 + 1));  // NVLinks, those of PCIe switches, and of the CPUs
  EXPECT_EQ(count_of(four.graph, "pcie"), 4U);
  EXPECT_EQ(count_of(dgx_1("gpus: 1").graph, "npu"), 1U);
  EXPECT_EQ(degree_of(dgx_1("every-pair: true").graph, "npu"), 6 + 3 + 1);
}

TEST(NetworkBuilders, ANetworkStandsInsideAnother) {
  const BuiltNetwork nested = built(
      "{ build: ring, size: 4, link: { bandwidth: 50 GB/s, latency: 1 us }, inside: { build: ring, size: 3, "
      "link: { bandwidth: 50 GB/s, latency: 1 us } } }");
  EXPECT_EQ(nested.groups, (std::vector{3, 4}));
  EXPECT_EQ(nested.graph.links(), 2U * (3 * 4 + 4 * 3));
  EXPECT_EQ(degree_of(nested.graph, "npu"), 4);
}

TEST(NetworkBuilders, WhatIsWrongIsSaidAtItsPlace) {
  EXPECT_EQ(refusal_of("build: rign\nsize: 4\n"),
            "net.yaml:1:8: error: `build` has to be `ring`, `mesh`, `torus`, `switch`, `fully-connected`, "
            "`fat-tree`, `rail-optimized`, `rail-only`, `dragonfly`, `nvlink` or `dgx-1v`, not `rign`");
  EXPECT_EQ(refusal_of("build: ring\nsize: 0\n" + link_map),
            "net.yaml:2:7: error: `size` has to be a whole number from 1 to 16777216, not `0`");
  EXPECT_EQ(refusal_of("build: torus\ndimensions:\n  - { size: 4 }\n"),
            "net.yaml:3:5: error: the dimension has no link: give it one here or in front of `dimensions`");
  EXPECT_EQ(
      refusal_of("build: fat-tree\n" + link_map +
                 "\nlevels:\n  - { size: 6 }\n  - { size: 4, oversubscription: 4 }\n"),
      "net.yaml:5:5: error: each leaf has 6 links down of 50 GB/s, so an oversubscription of 4 takes 1.5 "
      "links up of 50 GB/s, which is no multiple of `count` (1): choose another `oversubscription`, `size` "
      "of the level below, `count` or `bandwidth`");
  EXPECT_EQ(refusal_of("build: fat-tree\n" + link_map + "\nlevels: [ { size: 6, oversubscription: 1 } ]\n"),
            "net.yaml:3:40: error: the links of hosts are not oversubscribed: give it to the level above, or "
            "leave it out");
  EXPECT_EQ(refusal_of("build: torus\n" + link_map + "\ndimensions: [ { size: 10000 }, { size: 10000 } ]\n"),
            "net.yaml:1:1: error: the network has more than 16777216 nodes: describe a part of it");
}

}  // namespace
}  // namespace orrery::core::test::network_builders_test
