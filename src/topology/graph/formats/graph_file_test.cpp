#include "topology/graph/formats/graph_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::graph_file_test {
namespace {

BuiltNetwork read(std::string_view text) {
  Warnings warnings;
  return read_graph_file(text, "net.txt", warnings);
}
std::string error_of(std::string_view text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GraphFile, ReadsTheTopologyFileOfNs3) {
  const BuiltNetwork built = read("3 1 2\n2\n0 2 100Gbps 0.001ms 0\n2 1 25Gbps 500ns 0.01\n");
  EXPECT_EQ(built.graph.npus(), 2u);
  EXPECT_EQ(built.graph.nodes(), 3u);
  EXPECT_EQ(built.graph.node(NodeId(2)).name, "switch2");
  EXPECT_TRUE(built.graph.node(NodeId(2)).forwards);
  EXPECT_FALSE(built.graph.node(NodeId(0)).forwards);
  ASSERT_EQ(built.graph.links(), 4u);
  EXPECT_EQ(built.graph.link(LinkId(0)).bandwidth.bytes_per_ns(), 12.5);
  EXPECT_EQ(built.graph.link(LinkId(1)).latency, Time::from_ns(1000));
  EXPECT_EQ(built.graph.link(LinkId(2)).to, NodeId(1));
  EXPECT_EQ(built.graph.link(LinkId(2)).loss, 0.01);
  EXPECT_EQ(built.groups, std::vector{2});
}

TEST(GraphFile, BrokenTopologyFilesOfNs3AreRefusedAtTheirPlace) {
  EXPECT_EQ(error_of("3 1 1\n2\n0 3 100Gbps 0ns 0\n"),
            "net.txt:3:3: error: `3` is no node: they are numbered from 0 to 2");
  EXPECT_EQ(error_of("3 1 1\n2\n0 0 100Gbps 0ns 0\n"),
            "net.txt:3:1: error: a link joins node 0 to itself: leave it out");
  EXPECT_EQ(
      error_of("3 1 1\n2\n0 2 100Gbps 0ns 0\n1 2 100Gbps 0ns 0"),
      "net.txt:4:1: error: a link stands behind the last of 1 links: correct their number in the first line");
  EXPECT_EQ(error_of("3 2 0\n2 2"), "net.txt:2:3: error: switch 2 is named twice: leave one out");
  EXPECT_EQ(error_of("3 1 1\n2\n0 2 100Gbps 0ns 2\n"),
            "net.txt:3:17: error: `2` is no share of packets, which is a number from 0 to 1");
  EXPECT_EQ(error_of("3 1 1\n2\n0 2 100Gbps"),
            "net.txt:3:12: error: the file ends where the delay of a link, such as 0.001ms has to stand");
  EXPECT_NE(error_of("3 1 1\n2\n0 2 0Gbps 0ns 0\n").find("net.txt:3:5: error: `0Gbps`"), std::string::npos);
}

TEST(GraphFile, ANetworkHasAnNpu) {
  EXPECT_EQ(error_of("1 1 0\n0\n"), "net.txt: error: the network has no NPU: add one");
  EXPECT_EQ(error_of("0 0 0\n"), "net.txt: error: the network has no NPU: add one");
}

TEST(GraphFile, OtherTextsAreNoNetworks) {
  EXPECT_EQ(error_of("hello"),
            "net.txt: error: this is no description of a network: docs/inputs/graphs.md has the formats");
}

}  // namespace
}  // namespace orrery::core::graph_file_test
