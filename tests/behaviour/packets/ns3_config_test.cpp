// What the config.txt of ns-3's back end says about links.
#include <gtest/gtest.h>

#include "network/packet/ns3/ns3_config.hpp"
#include "support/packet_runs.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core::test::ns3_config_test {
namespace {

Ns3Config config_of(const std::string& text) {
  Warnings warnings;
  return read_ns3_config(text, "config.txt", warnings);
}

// Nodes 0 and 1 are hosts, 2 to 4 switches, all of which are joined with each other.
Topology triangle() {
  return ns3_topology(
      "5 3 5\n2 3 4\n0 2 100Gbps 1000ns 0\n1 3 100Gbps 1000ns 0\n2 3 100Gbps 1000ns 0\n"
      "2 4 100Gbps 1000ns 0\n4 3 100Gbps 1000ns 0\n");
}

TEST(Ns3Config, CutsBothWaysOfTheLinkThatItNames) {
  for (const char* cut : {"LINK_DOWN 7 2 3\n", "LINK_DOWN 7 3 2\n"}) {
    Topology topology = triangle();
    cut_links(config_of(cut), topology);
    ASSERT_TRUE(topology.link_changes);
    const NetworkGraph& graph = *topology.graph;
    ASSERT_EQ(topology.link_changes->list.size(), 2u) << cut;
    for (const LinkChange& change : topology.link_changes->list) {
      const NetworkLink& link = graph.link(change.link);
      EXPECT_EQ(graph.node(link.from).kind, NodeKind::network_switch);
      EXPECT_EQ(graph.node(link.to).kind, NodeKind::network_switch);
      EXPECT_NE(graph.node(link.from).name, "switch4");
      EXPECT_NE(graph.node(link.to).name, "switch4");
      EXPECT_EQ(change.share, 0);
      EXPECT_EQ(change.at.ns(), 2'000'000'000 + 7'000);  // ns-3's back end starts at two seconds
    }
  }
}

TEST(Ns3Config, RefusesToCutALinkThatDoesNotExist) {
  for (const char* cut : {"LINK_DOWN 7 0 3\n", "LINK_DOWN 7 2 2\n", "LINK_DOWN 7 0 1\n"}) {
    Topology topology = triangle();
    EXPECT_THROW(cut_links(config_of(cut), topology), InputError) << cut;
  }
}

TEST(Ns3Config, CutsNothingAtTimeZero) {
  Topology topology = triangle();
  cut_links(config_of("LINK_DOWN 0 2 3\n"), topology);
  EXPECT_FALSE(topology.link_changes);
}

}  // namespace
}  // namespace orrery::core::test::ns3_config_test
