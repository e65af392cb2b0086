// Tests what NCCL's protocols cost on channels, against NCCL's constants, which are written out here, and
// against measurements.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/built_network.hpp"
#include "support/whole_group.hpp"

namespace orrery::core::test::channel_costs_test {
namespace {

constexpr double mib = 1 << 20;

std::string box(double nvlink, int links, bool reduction, const std::string& nics = "") {
  return fmt::format(
      "build: nvlink, size: 8, switches: 6, links: {}, reduction: {}, link: {{ bandwidth: {} GB/s, latency: "
      "0 ns "
      "}}{}",
      links, reduction, nvlink, nics);
}
std::string a100() {
  return "{ " + box(20, 12, false) + " }";
}
std::string h100() {
  return "{ " + box(20.6, 18, true) + " }";
}
std::string a100_boxes(int count) {
  return fmt::format(
      "{{ build: rail-optimized, levels: [ {{ size: {} }} ], link: {{ bandwidth: 25 GB/s, latency: 0 ns }}, "
      "inside: "
      "{{ {} }} }}",
      count, box(20, 12, false, ", nics: { count: 8, link: { bandwidth: 31.5 GB/s, latency: 0 ns } }"));
}

ChannelCost all_reduce(const std::string& network, double bytes) {
  const NetworkGraph graph = built(network).graph;
  return WholeGroup(graph).all_reduce(bytes);
}

// LL takes 6.6 us and 0.6 us for each of 14 steps; in trees 6.8 us and 5 us for each step between machines.
TEST(ChannelCosts, OfFewBytesAreThoseOfLl) {
  const ChannelCost one = all_reduce(a100(), 8);
  EXPECT_EQ(one.protocol, Protocol::ll);
  EXPECT_NEAR(one.us(), 6.6 + 14 * 0.6, 0.01);
  for (const auto& [boxes, hops] : {std::pair{2, 2}, {4, 4}, {8, 6}}) {
    const ChannelCost several = all_reduce(a100_boxes(boxes), 8);
    EXPECT_EQ(several.algorithm, LibraryAlgorithm::tree);
    EXPECT_EQ(several.protocol, Protocol::ll);
    EXPECT_NEAR(several.us(), 6.8 + 14 * 0.6 + hops * 5, 0.01) << boxes;
  }
}

// Eight A100 with NCCL 2.8, in us: 17.0 at 8 bytes. Two, four and eight such nodes: 32.6, 42.0, 51.4.
TEST(ChannelCosts, OfFewBytesAreNearMeasurements) {
  EXPECT_NEAR(all_reduce(a100(), 8).us(), 17.0, 0.25 * 17.0);
  EXPECT_NEAR(all_reduce(a100_boxes(2), 8).us(), 32.6, 0.25 * 32.6);
  EXPECT_NEAR(all_reduce(a100_boxes(4), 8).us(), 42.0, 0.25 * 42.0);
  EXPECT_NEAR(all_reduce(a100_boxes(8), 8).us(), 51.4, 0.25 * 51.4);
}

// NCCL goes from LL by LL128 to the simple protocol, and where switches add, to them.
TEST(ChannelCosts, ProtocolsFollowOneAnother) {
  const auto protocol = [](const std::string& network, double bytes) {
    return all_reduce(network, bytes).protocol;
  };
  EXPECT_EQ(protocol(a100(), mib / 8), Protocol::ll);
  EXPECT_EQ(protocol(a100(), 8 * mib), Protocol::ll128);
  EXPECT_EQ(protocol(a100(), 256 * mib), Protocol::simple);
  EXPECT_EQ(all_reduce(h100(), mib / 8).algorithm, LibraryAlgorithm::ring);
  EXPECT_EQ(all_reduce(h100(), 8 * mib).algorithm, LibraryAlgorithm::nvls);
}

TEST(ChannelCosts, GrowWithBytesWithoutJumps) {
  for (const std::string& network : {a100(), h100(), a100_boxes(4)}) {
    const NetworkGraph graph = built(network).graph;
    WholeGroup group(graph);
    double last = group.all_reduce(1).us();
    for (double bytes = 1; bytes < 1e11; bytes *= 1.2) {
      const ChannelCost cost = group.all_reduce(bytes);
      ASSERT_GE(cost.us(), last);
      ASSERT_LE(cost.us(), last * 1.2001);
      ASSERT_GE(cost.added_us, 0);
      ASSERT_LE(cost.added_us, cost.bytes_us);
      ASSERT_LE(cost.threads_us, cost.bytes_us);
      last = cost.us();
    }
  }
}

// A ring in which data goes round once has half of the steps. Pairs have one.
TEST(ChannelCosts, OtherCollectivesHaveFewerSteps) {
  const NetworkGraph graph = built(a100()).graph;
  const ChannelCosts costs = WholeGroup(graph).costs();
  EXPECT_NEAR(costs.ring(1, 1).us(), 6.6 + 7 * 0.6, 0.01);
  EXPECT_NEAR(costs.pairs(1).us(), 6.6 + 0.6, 0.01);
}

}  // namespace
}  // namespace orrery::core::test::channel_costs_test
