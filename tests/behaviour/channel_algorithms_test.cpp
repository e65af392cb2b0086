// Tests what all-reduces on channels take where switches reduce, against the bytes of the busiest link, and
// the flows of each algorithm.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/built_network.hpp"
#include "support/whole_group.hpp"

namespace orrery::core::test::channel_algorithms_test {
namespace {

constexpr double gib = 1 << 30;

// HGX boxes below rails.
std::string boxes(int count, bool nvls, bool sharp) {
  return fmt::format(
      "{{ build: rail-optimized, reduction: {}, levels: [ {{ size: {} }} ], link: {{ bandwidth: 50 GB/s, "
      "latency: 0 "
      "ns }},\n"
      "  inside: {{ build: nvlink, reduction: {}, size: 8, switches: 4, links: 18, link: {{ bandwidth: 25 "
      "GB/s, "
      "latency: 0 ns }},\n"
      "            nics: {{ count: 8, link: {{ bandwidth: 64 GB/s, latency: 0 ns }} }} }} }}",
      sharp, count, nvls);
}

double nanoseconds(const std::string& network, const std::string& size = "1 GiB") {
  Warnings warnings;
  const Experiment experiment =
      read_experiment("network: " + network +
                          "\nsystem: { channels: true }\nworkload: { layers: [ { name: a, weight-gradient: { "
                          "collective: all-reduce, size: " +
                          size + " } } ] }\n",
                      "e.yaml", {}, warnings, InputLog());
  return carry_out(experiment.runs.at(0), warnings).recording.end().ns();
}

FlowPattern flows(const std::string& network, LibraryAlgorithm algorithm) {
  const NetworkGraph graph = built(network).graph;
  return WholeGroup(graph).flows(algorithm);
}

// Returns the share of the bytes that each node sends.
std::map<NodeId, double> sent(const FlowPattern& pattern) {
  std::map<NodeId, double> sent;
  for (const ChannelFlow& flow : pattern.flows) sent[flow.from] += flow.share;
  return sent;
}

// Returns how long the bytes take: all that protocols do not add to them.
double bytes_ns(const std::string& network) {
  const NetworkGraph graph = built(network).graph;
  return nanoseconds(network) - rest_ns(WholeGroup(graph).all_reduce(gib));
}

// Each GPU sends all its bytes to the switches, and as the head of a piece it also sends the sum of that
// piece; 18 links have 25 GB/s.
TEST(ChannelAlgorithms, SwitchesOfABoxReduce) {
  EXPECT_NEAR(bytes_ns(boxes(1, true, false)), gib * (1 + 1.0 / 8) / 450, 10);
  EXPECT_NEAR(bytes_ns(boxes(1, false, false)), 2 * gib * 7 / 8 / 450, 10);
}

// A head's NIC sends its eighth once between two boxes.
TEST(ChannelAlgorithms, HeadsFormTreesOverBoxes) {
  EXPECT_NEAR(bytes_ns(boxes(2, true, false)), gib / 8 / 50, 10);
}

// In trees over four boxes, a head has two children in one of the two, and none in the other.
TEST(ChannelAlgorithms, HeadsOfFourBoxesSendTheirPieceTwice) {
  double most = 0;
  for (const auto& [node, share] : sent(flows(boxes(4, true, false), LibraryAlgorithm::nvls)))
    if (node < NodeId(4 * 8)) most = std::max(most, share);
  EXPECT_NEAR(most, 1 + 1.0 / 8 + 2.0 / 8, 1e-9);
}

// However many boxes there are, a NIC sends an eighth once.
TEST(ChannelAlgorithms, SwitchesBetweenBoxesReduce) {
  for (const int count : {2, 4, 8})
    EXPECT_NEAR(bytes_ns(boxes(count, true, true)), gib / 8 / 50, 10) << count;
}

// Four hosts of one GPU each, two below each leaf: all bytes pass each link once in either direction.
TEST(ChannelAlgorithms, ReductionGoesUpATreeOfSwitches) {
  const std::string tree =
      "{ build: fat-tree, reduction: true, link: { bandwidth: 10 GB/s, latency: 0 ns }, levels: [ { size: 2 "
      "}, { size: "
      "2, oversubscription: 2 } ] }";
  EXPECT_NEAR(bytes_ns(tree), gib / 10, 10);
}

// Where no message needs a relay, the routing changes nothing. Once, it lost the ways and latencies of
// channels.
TEST(ChannelAlgorithms, TakeTheSameTimeWhereNobodyRelays) {
  const std::string box =
      "{ build: nvlink, size: 4, switches: 2, links: 4, link: { bandwidth: 25 GB/s, latency: 500 ns } }";
  EXPECT_EQ(nanoseconds(box + "\nrouting: relay", "1 MiB"), nanoseconds(box, "1 MiB"));
}

// In a tree of n members, each edge carries all bytes up and down.
TEST(ChannelAlgorithms, TreesSendAllBytesUpAndDown) {
  for (const int count : {1, 2, 3, 4}) {
    const FlowPattern tree = flows(boxes(count, false, false), LibraryAlgorithm::tree);
    double sum = 0;
    for (const auto& [node, share] : sent(tree)) sum += share;
    EXPECT_NEAR(sum, 2 * (8 * count - 1), 1e-9) << count;
  }
  // Seven hops of a chain and two from box to box, up and down.
  EXPECT_EQ(flows(boxes(4, false, false), LibraryAlgorithm::tree).latency, Time::from_ns(2 * (7 + 2) * 100));
}

TEST(ChannelAlgorithms, AGpuSendsAllBytesToItsSwitchesAndItsPieceAgain) {
  const auto by_node = sent(flows(boxes(1, true, false), LibraryAlgorithm::nvls));
  for (const NodeId gpu : first_ids<NodeId>(8)) EXPECT_NEAR(by_node.at(gpu), 1 + 1.0 / 8, 1e-9);
}

// There is a reduction only where everything that it takes can reduce.
TEST(ChannelAlgorithms, ThereIsNoReductionWithoutSwitchesThatReduce) {
  EXPECT_TRUE(flows(boxes(2, false, false), LibraryAlgorithm::nvls).flows.empty());
  EXPECT_TRUE(flows(boxes(2, true, false), LibraryAlgorithm::sharp).flows.empty());
  EXPECT_TRUE(flows(boxes(1, true, true), LibraryAlgorithm::sharp).flows.empty());
  EXPECT_FALSE(flows(boxes(2, false, true), LibraryAlgorithm::sharp).flows.empty());
}

}  // namespace
}  // namespace orrery::core::test::channel_algorithms_test
