#include <gtest/gtest.h>

#include <map>

#include "base/files/file.hpp"
#include "support/built_network.hpp"
#include "support/source_dir.hpp"
#include "topology/graph/measures/reachability.hpp"

namespace orrery::core::test::nccl_topology_test {
namespace {

std::string dgx_1v() {
  return read_file_of_any_kind(std::string(source_dir()) + "/fuzz/corpus/network_graph/dgx-1v.xml");
}
// Returns how many links each pair of nodes has, and their joint bandwidth.
std::map<std::pair<std::size_t, std::size_t>, std::pair<int, double>> pairs_of(const NetworkGraph& graph) {
  std::map<std::pair<std::size_t, std::size_t>, std::pair<int, double>> pairs;
  for (const LinkId id : graph.all_links()) {
    auto& [links, bandwidth] = pairs[{graph.link(id).from.index(), graph.link(id).to.index()}];
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
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b) EXPECT_EQ((pairs[{a, b}]), (expected[{a, b}])) << a << " " << b;
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
  EXPECT_EQ(graph.node(NodeId(0)).name, "gpu0");
  auto pairs = pairs_of(graph);
  constexpr std::size_t cpu = 2, nvswitch = 3;
  EXPECT_EQ(graph.node(NodeId(nvswitch)).name, "nvswitch0");
  EXPECT_EQ((pairs[{1, nvswitch}].first), 9);
  EXPECT_NEAR((pairs[{0, nvswitch}].second), 9 * 20.6, 1e-9);
  EXPECT_EQ((pairs[{1, cpu}].second), 48);
  EXPECT_EQ((pairs[{0, cpu}].second), 12);
}

TEST(NcclTopology, WhatIsWrongIsSaidAtItsPlace) {
  EXPECT_EQ(refusal_of("<system>\n<cpu</system>").substr(0, 40), "net.yaml:2:6: error: no valid XML: Error");
  EXPECT_EQ(refusal_of("<graphs/>").substr(0, 64),
            "net.yaml: error: this is what NCCL_GRAPH_DUMP_FILE writes: the c");
  EXPECT_EQ(refusal_of("<machines/>"),
            "net.yaml: error: a topology of NCCL is one element `system`: correct the file");
  EXPECT_EQ(
      refusal_of("<system/>"),
      "net.yaml:1:2: error: there is no `gpu` in the system. A file for NCCL_TOPO_FILE may do without, as "
      "NCCL adds the GPUs and NVLinks that it finds: let NCCL write all of it on that machine, with "
      "NCCL_TOPO_DUMP_FILE, and use that");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), " sm=\"70\"", "")),
            "net.yaml:5:10: error: `gpu` needs the attribute `sm`");
  EXPECT_EQ(
      refusal_of(changed(changed(dgx_1v(), "dev=\"1\"", "dev=\"0\""), "rank=\"1\"", "rank=\"0\"")),
      "net.yaml:13:10: error: there are two GPUs 0: give one another `dev`, or each a `rank` from 0 on");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), "target=\"0000:07:00.0\"", "target=\"0000:77:00.0\"")),
            "net.yaml:6:12: error: no GPU has the bus `0000:77:00.0`: correct `target`");
  EXPECT_EQ(refusal_of(changed(dgx_1v(), "count=\"1\"", "count=\"0\"")),
            "net.yaml:6:12: error: `count` has to be a whole number from 1 to 1024, not `0`");
}

std::vector<std::string> warnings_of(const std::string& text) {
  Warnings warnings;
  read_graph_file(text, "net.xml", warnings);
  return warnings.lines();
}
const std::string no_latencies =
    "net.xml: warning: NCCL's topologies say nothing of latencies, so links have none";

TEST(NcclTopology, WhatIsLeftOutIsSaid) {
  const std::vector<std::string> warnings =
      warnings_of(changed(dgx_1v(), "</gpu>", "<beam target=\"x\"/><beam target=\"y\"/></gpu>"));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("warning: elements `beam` in a `gpu` are not known here: 2 are left out"),
            std::string::npos)
      << warnings[0];
  EXPECT_EQ(warnings[1], no_latencies);
}

std::string system_of(const std::string& devices, const std::string& attributes = "host_hash=\"0x1\"") {
  return "<cpu numaid=\"0\" " + attributes + " arch=\"x86_64\" vendor=\"AuthenticAMD\">" + devices + "</cpu>";
}
std::string gpu_at(const std::string& bus, const std::string& gpu) {
  return "<pci busid=\"" + bus + "\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">" +
         gpu + "</pci>\n";
}
std::string to_switch(int dev, int rank, const std::string& more = "") {
  return "<gpu dev=\"" + std::to_string(dev) + "\" sm=\"100\" rank=\"" + std::to_string(rank) + "\"" + more +
         "><nvlink target=\"f\" count=\"18\" tclass=\"0x068000\"/></gpu>";
}
double gb_per_s(const NetworkGraph& graph, std::size_t from, std::size_t to) {
  auto pairs = pairs_of(graph);
  return pairs[{from, to}].second;
}

TEST(NcclTopology, LinksOfAmdAreRead) {
  const auto pair = [](const std::string& gcn) {
    return "<system version=\"2\">" +
           system_of(gpu_at("a", "<gpu dev=\"0\" rank=\"0\" sm=\"94\" " + gcn +
                                     "><xgmi target=\"b\" count=\"2\" tclass=\"0x120000\"/></gpu>") +
                     gpu_at("b", "<gpu dev=\"1\" rank=\"1\" sm=\"94\" " + gcn +
                                     "><xgmi target=\"A\" count=\"2\" tclass=\"0x120000\"/></gpu>")) +
           "</system>";
  };
  for (const auto& [gcn, rate] : std::vector<std::pair<std::string, double>>{{"gfx942", 48},
                                                                             {"gfx942:sramecc+", 48},
                                                                             {"941", 48},
                                                                             {"910", 36},
                                                                             {"gfx90a", 36},
                                                                             {"908", 24},
                                                                             {"gfx906", 24}}) {
    const std::string text = pair("gcn=\"" + gcn + "\"");
    EXPECT_EQ(gb_per_s(built(text).graph, 0, 1), 2 * rate) << gcn;
    EXPECT_EQ(warnings_of(text), std::vector<std::string>{no_latencies}) << gcn;
  }
  EXPECT_EQ(gb_per_s(built(pair("")).graph, 1, 0), 48);
  EXPECT_EQ(warnings_of(pair("")).size(), 3U);  // each GPU lacks its generation
}

TEST(NcclTopology, LinksThatOneEndListsLeadOneWay) {
  const std::string text =
      changed(dgx_1v(), "target=\"0000:07:00.0\" count=\"1\"", "target=\"0000:07:00.0\" count=\"2\"");
  const NetworkGraph graph = built(text).graph;
  EXPECT_EQ(gb_per_s(graph, 0, 1), 40);
  EXPECT_EQ(gb_per_s(graph, 1, 0), 20);
  const std::vector<std::string> warnings = warnings_of(text);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("gpu0 lists 2 links to gpu1, which lists 1: the others lead one way only"),
            std::string::npos)
      << warnings[0];
}

TEST(NcclTopology, ALinkToItselfCarriesNothing) {
  const std::string text = "<system>" +
                           system_of(gpu_at("a",
                                            "<gpu dev=\"0\" sm=\"80\"><nvlink target=\"a\" count=\"12\" "
                                            "tclass=\"0x030200\"/></gpu>") +
                                     gpu_at("b",
                                            "<gpu dev=\"1\" sm=\"80\"><nvlink target=\"b\" count=\"12\" "
                                            "tclass=\"0x030200\"/></gpu>")) +
                           "</system>";
  EXPECT_EQ(gb_per_s(built(text).graph, 0, 1), 0);
  EXPECT_NE(warnings_of(text).at(0).find("2 links join a GPU to itself, which carries nothing: left out"),
            std::string::npos);
}

// Links of a kind that is not known are no links that NCCL's other devices would have in their place.
TEST(NcclTopology, AGpuWithUnknownLinksAloneIsRefused) {
  const std::string unknown = "<gpu dev=\"0\" sm=\"80\"><ualink target=\"b\" count=\"1\"/></gpu>";
  EXPECT_NE(refusal_of("<system>" + system_of(gpu_at("a", unknown)) + "</system>")
                .find("links of the kind `ualink` are not known here, and gpu0 has no others"),
            std::string::npos);
}

// A dump of an NVLink domain has the GPUs of all its hosts, each with the devices and buses of its own.
TEST(NcclTopology, HostsOfAnNvlinkDomainMeetAtTheSwitch) {
  const std::string text =
      "<system>" + system_of(gpu_at("a", to_switch(0, 0)) + gpu_at("b", to_switch(1, 1))) +
      system_of(gpu_at("a", to_switch(0, 2)) + gpu_at("b", to_switch(1, 3)), "host_hash=\"0x2\"") +
      "</system>";
  const BuiltNetwork network = built(text);
  EXPECT_EQ(network.graph.npus(), 4U);
  EXPECT_EQ(network.groups, (std::vector<int>{2, 2}));
  EXPECT_EQ(network.graph.node(NodeId(3)).name, "gpu3");
  auto pairs = pairs_of(network.graph);
  constexpr std::size_t first_cpu = 4, nvswitch = 6;
  EXPECT_EQ(network.graph.node(NodeId(nvswitch)).name, "nvswitch0");
  for (std::size_t gpu = 0; gpu < 4; ++gpu) EXPECT_NEAR((pairs[{gpu, nvswitch}].second), 18 * 40.1, 1e-9);
  EXPECT_EQ((pairs[{first_cpu, first_cpu + 1}].first), 0);  // of different hosts
  EXPECT_EQ(warnings_of(text), std::vector<std::string>{no_latencies});
  EXPECT_NE(refusal_of(changed(text, "rank=\"3\"", "rank=\"2\"")).find("numbered by `rank`"),
            std::string::npos);
}

TEST(NcclTopology, ALoneGpuWithoutLinksIsNamed) {
  const std::string text =
      "<system>" +
      system_of(gpu_at("a", to_switch(0, 0)) + gpu_at("b", "<gpu dev=\"1\" sm=\"100\" rank=\"1\"/>")) +
      "</system>";
  EXPECT_NE(warnings_of(text).at(0).find("gpu1 has no links to other GPUs or to a switch"),
            std::string::npos);
}

TEST(NcclTopology, HalvesOfAGpuShareItsLinks) {
  const std::string halves = to_switch(0, 0, " mlopart=\"0\"") + to_switch(0, 1, " mlopart=\"1\"");
  const std::string text =
      "<system>" + system_of(gpu_at("00.0", halves) + gpu_at("10.0", to_switch(1, 2))) + "</system>";
  const NetworkGraph graph = built(text).graph;
  constexpr std::size_t cpu = 3, nvswitch = 4;
  EXPECT_NEAR(gb_per_s(graph, 0, nvswitch), 18 * 40.1 / 2, 1e-9);
  EXPECT_NEAR(gb_per_s(graph, 2, nvswitch), 18 * 40.1, 1e-9);
  EXPECT_EQ(gb_per_s(graph, 0, 1), 2618);
  EXPECT_EQ(gb_per_s(graph, 1, cpu), 48);
  EXPECT_NE(refusal_of(changed(text, "\"00.0\"", "\"00.1\"")).find("ends in 0, 4, 8 or c"),
            std::string::npos);
}

TEST(NcclTopology, HalvesOfAGpuDiffer) {
  const std::string halves = to_switch(0, 0, " mlopart=\"0\"") + to_switch(0, 1, " mlopart=\"0\"");
  EXPECT_NE(refusal_of("<system>" + system_of(gpu_at("00.0", halves)) + "</system>")
                .find("both halves of this GPU have the `mlopart` 0"),
            std::string::npos);
}

// As in a dump of an NVLink domain, where two processes of the second host have each written what they saw.
TEST(NcclTopology, EqualElementsAreOne) {
  const std::string first = system_of(gpu_at("a", to_switch(0, 0)) + gpu_at("b", to_switch(1, 1)));
  const std::string gpu = gpu_at("a", to_switch(0, 2)), other = gpu_at("b", to_switch(1, 3));
  const auto second = [](const std::string& devices) { return system_of(devices, "host_hash=\"0x2\""); };
  const NetworkGraph once = built("<system>" + first + second(gpu + other) + "</system>").graph;
  EXPECT_EQ(once.npus(), 4U);
  for (const std::string& repeated :
       {second(gpu + other) + second(gpu + other), second(gpu) + second(gpu + other),
        second(gpu + gpu + other), second(gpu) + second(other)}) {
    const NetworkGraph graph = built("<system>" + first + repeated + "</system>").graph;
    EXPECT_EQ(graph.npus(), 4U);
    EXPECT_EQ(graph.nodes(), once.nodes());
    EXPECT_EQ(graph.links(), once.links());
  }
  // An element that differs in an attribute is another one.
  EXPECT_NE(refusal_of("<system>" + first +
                       second(gpu + changed(changed(gpu, "rank=\"2\"", "rank=\"3\""), "\"16\"", "\"8\"")) +
                       "</system>"),
            "");
}

TEST(NcclTopology, RanksMayShareAGpu) {
  const NetworkGraph graph =
      built("<system>" + system_of(gpu_at("a", to_switch(0, 0) + to_switch(0, 1))) + "</system>").graph;
  constexpr std::size_t device = 2;
  EXPECT_EQ(graph.node(NodeId(device)).name, "device0");
  EXPECT_EQ(gb_per_s(graph, 0, device), 5000);
  EXPECT_NEAR(gb_per_s(graph, device, 4), 18 * 40.1, 1e-9);
}

// Grace joins its GPU by C2C, which is faster than PCIe.
TEST(NcclTopology, LinksToTheCpuAreRead) {
  const std::string gpu = "<gpu dev=\"0\" sm=\"90\" rank=\"0\"><c2c bw=\"44712\" count=\"5\"/></gpu>";
  const NetworkGraph graph = built("<system>" + system_of(gpu_at("a", gpu)) + "</system>").graph;
  EXPECT_NEAR(gb_per_s(graph, 0, 1), 223.56, 1e-9);
}

TEST(NcclTopology, PcieSwitchesMayBeJoined) {
  const auto at = [](const std::string& bus, const std::string& other, int gpu) {
    return "<pci busid=\"" + bus +
           "\" class=\"0x060400\" link_speed=\"\" link_width=\"0\"><pcilink target=\"" + other + "\"/>" +
           gpu_at(bus + "0", "<gpu dev=\"" + std::to_string(gpu) + "\" sm=\"80\"/>") + "</pci>";
  };
  const NetworkGraph graph =
      built("<system>" + system_of(at("a", "b", 0) + at("b", "a", 1)) + "</system>").graph;
  EXPECT_EQ(gb_per_s(graph, 3, 4), 5000);
  EXPECT_EQ(gb_per_s(graph, 4, 3), 5000);
}

}  // namespace
}  // namespace orrery::core::test::nccl_topology_test
