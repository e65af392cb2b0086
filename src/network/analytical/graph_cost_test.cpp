// Costs of graphs against counts of their cables, switches and NICs by hand.
#include "network/analytical/graph_cost.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/built_network.hpp"

namespace orrery::core::test::graph_cost_test {
namespace {

// The prices of a node and of a pod, in dollars per GiB/s.
constexpr double node_link = 4, node_port = 13, pod_link = 7.4, pod_port = 23.7, pod_nic = 47.8;

std::optional<double> cost_of(const std::string& text) {
  return graph_cost(std::make_shared<const NetworkGraph>(built(text).graph));
}

const std::string box =
    "inside:\n"
    "  { build: nvlink, size: 8, switches: 4, links: 18, link: { bandwidth: 20 GiB/s, latency: 0 s },\n"
    "    nics: { count: 8, link: { bandwidth: 64 GiB/s, latency: 0 s } } }\n"
    "link: { bandwidth: 50 GiB/s, latency: 0 s }\n";

// Four boxes of eight GPUs: 18 NVLinks of a GPU, each to a port of a switch; PCIe to the NICs costs nothing.
constexpr double boxes = 4 * 8 * 18 * 20 * (node_link + node_port);
// Their NICs, with a cable and a port of a switch each.
constexpr double first_level = 4 * 8 * 50 * (pod_nic + pod_link + pod_port);

TEST(GraphCost, OneLevelHasACableAndAPortForEachNic) {
  const std::string levels = "levels: [ { size: 4 } ]\n";
  EXPECT_DOUBLE_EQ(cost_of("build: fat-tree\n" + box + levels).value(), boxes + first_level);
  EXPECT_DOUBLE_EQ(cost_of("build: rail-optimized\n" + box + levels).value(), boxes + first_level);
}

TEST(GraphCost, ASecondLevelHasPortsAtBothEndsOfItsCables) {
  constexpr double second_level = 4 * 8 * 50 * (pod_link + 2 * pod_port);
  const std::string tree = "build: fat-tree\n" + box;
  EXPECT_DOUBLE_EQ(cost_of(tree + "levels: [ { size: 2 }, { size: 2 } ]\n").value(),
                   boxes + first_level + second_level);
  EXPECT_DOUBLE_EQ(cost_of(tree + "levels: [ { size: 2 }, { size: 2, oversubscription: 4 } ]\n").value(),
                   boxes + first_level + second_level / 4);
}

// A study finds out by this which networks are the best that one can have for their price.
TEST(GraphCost, RailsAndATreeOfTheSamePartsCostTheSame) {
  const std::string levels = "levels: [ { size: 2 }, { size: 2, oversubscription: 2 } ]\n";
  EXPECT_EQ(cost_of("build: fat-tree\n" + box + levels), cost_of("build: rail-optimized\n" + box + levels));
}

TEST(GraphCost, NicsThatAreJoinedDirectlyHaveNoSwitch) {
  EXPECT_DOUBLE_EQ(cost_of("build: fully-connected\nsize: 4\n" + box).value(),
                   boxes + 6 * 8 * 50 * (2 * pod_nic + pod_link));
}

TEST(GraphCost, PcieAndLinksBetweenCpusCostNothing) {
  const std::string machine =
      "nodes:\n"
      "  - { name: gpu, kind: npu, count: 2 }\n"
      "  - { name: cpu, kind: cpu, count: 2 }\n"
      "  - { name: plx, kind: pcie-switch, count: 2 }\n"
      "  - { name: nic, kind: nic, count: 2 }\n"
      "  - { name: leaf, kind: switch }\n"
      "links:\n"
      "  - { from: gpu, to: plx, pattern: one-to-one, bandwidth: 10 GiB/s, latency: 0 s }\n"
      "  - { from: nic, to: plx, pattern: one-to-one, bandwidth: 10 GiB/s, latency: 0 s }\n"
      "  - { from: cpu, to: plx, pattern: one-to-one, bandwidth: 10 GiB/s, latency: 0 s }\n"
      "  - { from: cpu0, to: cpu1, bandwidth: 10 GiB/s, latency: 0 s }\n"
      "  - { from: nic, to: leaf, bandwidth: 5 GiB/s, latency: 0 s }\n";
  EXPECT_DOUBLE_EQ(cost_of(machine).value(), 2 * 5 * (pod_nic + pod_link + pod_port));
}

TEST(GraphCost, IsNotKnownWithoutNics) {
  EXPECT_FALSE(cost_of("build: switch\nsize: 4\nlink: { bandwidth: 50 GB/s, latency: 0 s }\n"));
}

}  // namespace
}  // namespace orrery::core::test::graph_cost_test
