#include "topology/graph/formats/written_graph.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "support/built_network.hpp"

namespace orrery::core::test::written_graph_test {
namespace {

const std::string nodes =
    "nodes:\n"
    "  - { name: leaf, kind: switch, count: 2 }\n"
    "  - { name: gpu, kind: npu, count: 4 }\n"
    "  - { name: head, kind: npu, forwards: true }\n";
const std::string rest = ", bandwidth: 10 GB/s, latency: 1 us }\n";

using Ends = std::vector<std::pair<std::string, std::string>>;

// The ends of the cables, or of the links of the last one one way.
Ends ends_of(const std::string& links) {
  const NetworkGraph graph = built(nodes + "links:\n  - { " + links + rest).graph;
  Ends ends;
  for (const LinkId link : graph.all_links())
    if (graph.reverse(link) > link)
      ends.emplace_back(graph.node(graph.link(link).from).name, graph.node(graph.link(link).to).name);
  return ends;
}
std::string link_refusal(const std::string& links) {
  return refusal_of(nodes + "links:\n  - { " + links + rest);
}

TEST(WrittenGraph, NpusComeFirst) {
  const BuiltNetwork network = built(nodes + "links: []\ngroups: [5, 1]\n");
  EXPECT_EQ(network.graph.npus(), 5U);
  EXPECT_EQ(network.graph.node(NodeId(0)).name, "gpu0");
  EXPECT_EQ(network.graph.node(NodeId(4)).name, "head");
  EXPECT_TRUE(network.graph.node(NodeId(4)).forwards);
  EXPECT_FALSE(network.graph.node(NodeId(0)).forwards);
  EXPECT_EQ(network.graph.node(NodeId(6)).name, "leaf1");
  EXPECT_EQ(network.groups, (std::vector{5, 1}));
}

TEST(WrittenGraph, PatternsJoinNodes) {
  EXPECT_EQ(ends_of("from: head, to: leaf"), (Ends{{"head", "leaf0"}, {"head", "leaf1"}}));
  EXPECT_EQ(ends_of("from: 'gpu[0-2]', to: 'gpu[0-2]'"),
            (Ends{{"gpu0", "gpu1"}, {"gpu0", "gpu2"}, {"gpu1", "gpu2"}}));
  EXPECT_EQ(ends_of("from: gpu, to: leaf, pattern: blocks"),
            (Ends{{"gpu0", "leaf0"}, {"gpu1", "leaf0"}, {"gpu2", "leaf1"}, {"gpu3", "leaf1"}}));
  EXPECT_EQ(ends_of("from: gpu, to: leaf, pattern: round-robin"),
            (Ends{{"gpu0", "leaf0"}, {"gpu1", "leaf1"}, {"gpu2", "leaf0"}, {"gpu3", "leaf1"}}));
  EXPECT_EQ(ends_of("from: leaf, to: [gpu3, gpu0], pattern: one-to-one"),
            (Ends{{"leaf0", "gpu3"}, {"leaf1", "gpu0"}}));
  EXPECT_EQ(ends_of("from: ['gpu[0-1]', head], pattern: ring"),
            (Ends{{"gpu0", "gpu1"}, {"gpu1", "head"}, {"head", "gpu0"}}));
  EXPECT_EQ(ends_of("from: gpu0, to: leaf0, count: 3").size(), 3U);
  EXPECT_EQ(ends_of("from: gpu, to: gpu, one-way: true").size(), 4U * 3);
}

TEST(WrittenGraph, WhatIsWrongIsSaidAtItsPlace) {
  EXPECT_EQ(link_refusal("from: gpu0, to: gpu0"),
            "net.yaml:6:5: error: a link joins `gpu0` to itself: leave that node out at one end");
  EXPECT_EQ(
      link_refusal("from: gpus, to: leaf"),
      "net.yaml:6:13: error: there is no node `gpus`, did you mean `gpu`?: name an entry of `nodes`, or "
      "one node such as `gpu3` or `gpu[0-3]` of an entry `gpu`");
  EXPECT_EQ(link_refusal("from: 'gpu[2-4]', to: leaf"),
            "net.yaml:6:13: error: `gpu[2-4]` are no nodes: write an entry of `nodes` and the first and the "
            "last of its numbers, such as `gpu[0-3]`");
  EXPECT_EQ(link_refusal("from: gpu, to: leaf, pattern: one-to-one"),
            "net.yaml:6:5: error: 4 nodes cannot be joined one-to-one with 2: choose as many of both");
  EXPECT_EQ(link_refusal("from: gpu, to: leaf, pattern: ring"),
            "net.yaml:6:22: error: a ring joins the nodes of `from`: leave `to` out");
  EXPECT_EQ(
      refusal_of("nodes:\n  - { name: a1, kind: npu }\n  - { name: a, kind: npu, count: 2 }\nlinks: []\n"),
      "net.yaml:3:13: error: there are two nodes `a1`: give one another `name`");
  EXPECT_EQ(refusal_of("nodes: [ { name: a, kind: switch } ]\nlinks: []\n"),
            "net.yaml:1:8: error: there is no NPU among the nodes: add one of `kind: npu`");
  EXPECT_EQ(
      refusal_of(nodes + "links: []\ngroups: [2, 2]\n"),
      "net.yaml:6:9: error: groups of these sizes hold 4 NPUs, but there are 5: their product has to be "
      "that");
  EXPECT_NE(refusal_of(nodes + "links: [ { from: gpu0, to: leaf0, bandwidth: 0 GB/s, latency: 0 ns } ]\n")
                .find("net.yaml:5:46: error: "),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::core::test::written_graph_test
