// The forms of topology files of ns-3's back ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/built_network.hpp"
#include "topology/graph/formats/node_numbers.hpp"
#include "topology/graph/formats/ns3_header.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core::test::ns3_topology_test {
namespace {

const std::string two_servers =
    "7 2 2 1 8 H100\n4 5 6\n0 4 2880Gbps 0.000025ms 0\n1 4 2880Gbps 0.000025ms 0\n2 5 2880Gbps 0.000025ms 0\n"
    "3 5 2880Gbps 0.000025ms 0\n0 6 400Gbps 0.0005ms 0\n1 6 400Gbps 0.0005ms 0\n2 6 400Gbps 0.0005ms 0\n"
    "3 6 400Gbps 0.0005ms 0\n";

std::vector<std::string> warnings_of(const std::string& text) {
  Warnings warnings;
  read_graph_file(text, "net.txt", warnings);
  return warnings.lines();
}

// ns-3's DataRate takes a number alone as bit/s, its Time as seconds.
TEST(Ns3Topology, ReadsRatesAndDelaysAsNs3Does) {
  for (const auto& [text, gb] : std::vector<std::pair<const char*, double>>{{"100000000000", 12.5},
                                                                            {"100000000000.0", 12.5},
                                                                            {"1e11", 12.5},
                                                                            {"100Gbps", 12.5},
                                                                            {"25Gb/s", 3.125},
                                                                            {"12.5GBps", 12.5},
                                                                            {"12.5GB/s", 12.5},
                                                                            {"400000Mbps", 50},
                                                                            {"8Kib/s", 1.024e-6}})
    EXPECT_DOUBLE_EQ(ns3_rate(text, {}).bytes_per_ns(), gb) << text;
  for (const char* text : {"100Qbps", "Gbps", "100 0", "-1", "0", ""})
    EXPECT_THROW(ns3_rate(text, {}), InputError) << text;
  EXPECT_EQ(ns3_delay("1us", {}), ns3_delay("0.000001", {}));
}

TEST(Ns3Topology, AFourthNumberCountsRacks) {
  const std::string links = "\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
  EXPECT_EQ(built("3 1 1 2" + links).graph.npus(), 2U);
  EXPECT_EQ(built("3 1 1 2 25000000000.0 100Gbps" + links).graph.npus(), 2U);
  EXPECT_NE(refusal_of("3 1 1 2 3 4 5" + links), "");
}

// ns-3 reads words, wherever lines end.
TEST(Ns3Topology, LinesMayEndAnywhere) {
  const std::string three = "3 1 2 2 0 2 100Gbps 1us 0 1 2 100Gbps 1us 0";
  EXPECT_EQ(built(three).graph.links(), 4U);
  std::string upright = three;
  std::ranges::replace(upright, ' ', '\n');
  EXPECT_EQ(built(upright).graph.npus(), 2U);
  EXPECT_EQ(built("3 1\n2\n2\n0 2 100Gbps 1us 0 1 2 100Gbps\n1us 0\n").graph.npus(), 2U);
  EXPECT_EQ(built("3 1 2 2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n").graph.npus(), 2U);
  EXPECT_EQ(built("3 1 1 2 2 0 2 100Gbps 1us 0 1 2 100Gbps 1us 0").graph.npus(), 2U);
  std::string servers = two_servers;
  std::ranges::replace(servers, '\n', ' ');
  EXPECT_EQ(built(servers).groups, (std::vector<int>{2, 2}));
}

TEST(Ns3Topology, OtherFirstLinesAreRefused) {
  const std::string links = "\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
  for (const std::string first : {"3 2", "3 1 1 2 1 1 1", "3"})
    EXPECT_NE(refusal_of(first + links).find("but has to have three numbers"), std::string::npos) << first;
  EXPECT_NE(refusal_of("3 1 1 2 9" + links).find("`9` stands behind the number of links"), std::string::npos);
  EXPECT_FALSE(is_graph_file("2\n0 1 3 100 10 0\n1 0 3 100 10 0\n"));  // flows
}

TEST(Ns3Topology, LowRatesWithoutAUnitAreWarnedAbout) {
  const std::vector<std::string> warnings = warnings_of("3 1 2\n2\n0 2 100 1us 0\n1 2 100 1us 0\n");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "net.txt:3:5: warning: rates without a unit are in bit/s, as in ns-3, and those of 2 links are "
            "below 1 Mbps: write `100Gbps` for gigabits");
  EXPECT_EQ(warnings_of("3 1 2\n2\n0 2 1e11 1us 0\n1 2 100000000000 1us 0\n").size(), 0U);
}

TEST(Ns3Topology, WhatIsBehindTheLinksIsNoPartOfTheNetwork) {
  const std::string network = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
  EXPECT_EQ(
      warnings_of(network + "\nLine 1: nodes, switches, links\n"),
      (std::vector<std::string>{"net.txt:6:1: warning: what stands behind the last of 2 links is taken for "
                                "an explanation, and left out"}));
  EXPECT_EQ(warnings_of(network + "3 hosts\n").size(), 1U);
  EXPECT_EQ(refusal_of(network + "0 1 100Gbps 1us 0\n"),
            "net.yaml:5:1: error: a link stands behind the last of 2 links: correct their number in the "
            "first line");
}

// NPUs are the hosts in the order of their numbers, whatever the numbers of the switches are.
TEST(Ns3Topology, SwitchesMayComeFirst) {
  const NetworkGraph graph =
      built("4 2 3\n0 2\n0 1 100Gbps 1us 0\n0 2 100Gbps 1us 0\n2 3 100Gbps 1us 0\n").graph;
  ASSERT_EQ(graph.npus(), 2U);
  EXPECT_EQ(graph.node(NodeId(0)).name, "node1");
  EXPECT_EQ(graph.node(NodeId(1)).name, "node3");
  EXPECT_EQ(graph.node(NodeId(2)).name, "switch0");
  const NodeNumbers numbers(graph);
  EXPECT_TRUE(numbers.differ());
  EXPECT_EQ(numbers.of(NodeId(1)), 3U);
  EXPECT_EQ(numbers.node(3), std::optional<NodeId>(1));
  EXPECT_EQ(numbers.node(0), std::optional<NodeId>(2));
  Routes routes(graph);
  EXPECT_EQ(routes.hops(NodeId(0), NodeId(1)), 3U);
  EXPECT_FALSE(NodeNumbers(built("3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n").graph).differ());
}

// GPUs of a server never meet in the leaf, although that is as near.
TEST(Ns3Topology, ServersOfSimAiHaveSwitchesInside) {
  const BuiltNetwork network = built(two_servers);
  EXPECT_EQ(network.graph.npus(), 4U);
  EXPECT_EQ(network.groups, (std::vector<int>{2, 2}));
  EXPECT_TRUE(network.graph.node(NodeId(4)).reduces);
  EXPECT_FALSE(built(changed(two_servers, "H100", "A100")).graph.node(NodeId(4)).reduces);
  Routes routes(network.graph);
  const auto inside = routes.find(NodeId(0), NodeId(1), 0), between = routes.find(NodeId(0), NodeId(2), 0);
  ASSERT_TRUE(inside && between);
  EXPECT_EQ(inside->latency.ns(), 50);
  EXPECT_EQ(network.graph.link(inside->parts[0].link).bandwidth.bytes_per_ns(), 360);
  EXPECT_EQ(between->latency.ns(), 1000);
}

TEST(Ns3Topology, NumbersOfSimAiHaveToFit) {
  EXPECT_NE(refusal_of(changed(two_servers, "7 2 2 1", "7 3 2 1")).find("are no servers of 3"),
            std::string::npos);
  EXPECT_NE(refusal_of(changed(two_servers, "7 2 2 1", "7 2 6 1")).find("no GPU is left"), std::string::npos);
  EXPECT_NE(refusal_of(changed(two_servers, "7 2 2 1", "8 2 1 1")).find("cannot be shared out"),
            std::string::npos);
  EXPECT_NE(refusal_of(changed(two_servers, "4 5 6", "4 5 5")).find("named twice"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::test::ns3_topology_test
