#include <gtest/gtest.h>

#include <map>

#include "base/file.hpp"
#include "support/built_network.hpp"
#include "support/source_dir.hpp"
#include "topology/graph/measures/reachability.hpp"

namespace orrery::test::nccl_topology_test {
namespace {

std::string dgx_1v() {
  return read_text_file(std::string(source_dir()) + "/fuzz/corpus/network_graph/dgx-1v.xml");
}
// Returns how many links each pair of nodes has, and their joint bandwidth.
std::map<std::pair<NodeId, NodeId>, std::pair<int, double>> pairs_of(const NetworkGraph& graph) {
  std::map<std::pair<NodeId, NodeId>, std::pair<int, double>> pairs;
  for (LinkId id = 0; id < graph.links(); ++id) {
    auto& [links, bandwidth] = pairs[{graph.link(id).from, graph.link(id).to}];
    ++links;
    bandwidth += graph.link(id).bandwidth.bytes_per_ns();
  }
  return pairs;
}

// Both are the same machine, so they have the same NVLinks.
TEST(NcclTopology, TheDgx1OfAFileIsThatOfTheBuilder) {
  const NetworkGraph read = built(dgx_1v()).graph;
  const NetworkGraph made = built(
                                "{ build: dgx-1v, nvlink: { bandwidth: 20 GB/s, latency: 0 ns }, pcie: { "
                                "bandwidth: 12 GB/s, latency: "
                                "0 ns }, cpus: { bandwidth: 6 GB/s, latency: 0 ns } }")
                                .graph;
  EXPECT_EQ(read.npus(), 8U);
  EXPECT_EQ(read.nodes(), made.nodes());
  EXPECT_EQ(read.links(), made.links());
  EXPECT_TRUE(find_cuts(read).empty());
  auto pairs = pairs_of(read), expected = pairs_of(made);
  for (NodeId a = 0; a < 8; ++a)
    for (NodeId b = 0; b < 8; ++b) EXPECT_EQ((pairs[{a, b}]), (expected[{a, b}])) << a << " " << b;
}

TEST(NcclTopology, NvlinkSwitchesAreOneNode) {
  const NetworkGraph graph =
      built(
          "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">"
          "<pci busid=\"A\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"><gpu "
          "dev=\"1\" sm=\"90\">"
          "<nvlink target=\"S0\" count=\"5\" tclass=\"0x068000\"/><nvlink target=\"S1\" count=\"4\" "
          "tclass=\"0x068000\"/>"
          "</gpu></pci>"
          "<pci busid=\"B\" class=\"0x030200\" link_speed=\"\" link_width=\"0\"><gpu dev=\"0\" sm=\"90\">"
          "<nvlink target=\"S0\" count=\"9\" tclass=\"0x068000\"/></gpu></pci></cpu></system>")
          .graph;
  EXPECT_EQ(graph.node(0).name, "gpu0");
  auto pairs = pairs_of(graph);
  const NodeId cpu = 2, nvswitch = 3;
  EXPECT_EQ(graph.node(nvswitch).name, "nvswitch0");
  EXPECT_EQ((pairs[{1, nvswitch}].first), 9);
  EXPECT_NEAR((pairs[{0, nvswitch}].second), 9 * 20.6, 1e-9);
  EXPECT_EQ((pairs[{1, cpu}].second), 48);
  EXPECT_EQ((pairs[{0, cpu}].second), 12);
}

TEST(NcclTopology, WhatIsWrongIsSaidAtItsPlace) {
  EXPECT_EQ(refusal_of("<system>\n<cpu</system>").substr(0, 40), "net.yaml:2:6: error: no valid XML: Error");
  EXPECT_EQ(refusal_of("<graphs/>"),
            "net.yaml: error: a topology of NCCL is one element `system`: correct the file");
  EXPECT_EQ(refusal_of("<system/>"), "net.yaml:1:2: error: there is no `gpu` in the system");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), " sm=\"70\"", "")),
            "net.yaml:5:10: error: `gpu` needs the attribute `sm`");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), "dev=\"1\"", "dev=\"0\"")),
            "net.yaml:13:10: error: there are two GPUs 0: give one another `dev`");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), "target=\"0000:07:00.0\"", "target=\"0000:77:00.0\"")),
            "net.yaml:6:12: error: no GPU has the bus `0000:77:00.0`: correct `target`");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), "target=\"0000:07:00.0\"", "target=\"0000:06:00.0\"")),
            "net.yaml:6:12: error: a link joins a GPU to itself: correct `target`");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), "count=\"1\"", "count=\"0\"")),
            "net.yaml:6:12: error: `count` has to be a whole number from 1 to 1024, not `0`");
}

TEST(NcclTopology, WhatIsLeftOutIsSaid) {
  Warnings warnings;
  read_graph_file(changed(dgx_1v(), "</gpu>", "<c2c bw=\"450000\" count=\"1\"/></gpu>"), "net.xml", warnings);
  ASSERT_EQ(warnings.lines().size(), 2U);
  EXPECT_EQ(warnings.lines()[0].substr(11), "10: warning: links of the kind `c2c` are left out");
  EXPECT_EQ(warnings.lines()[1],
            "net.xml: warning: NCCL's topologies say nothing of latencies, so links have none");
}

}  // namespace
}  // namespace orrery::test::nccl_topology_test
