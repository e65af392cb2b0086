#include "topology/channels/group_channels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/built_network.hpp"

namespace orrery::core::test::group_channels_test {
namespace {

// Two GPUs like B200 meet at a switch, and a third one that has lost its NVLinks is reached over the CPU.
NetworkGraph broken_machine(const std::string& pcie = "10 GB/s") {
  return built(
             "nodes:\n"
             "  - { name: gpu, kind: npu, count: 3 }\n"
             "  - { name: cpu, kind: cpu }\n"
             "  - { name: nvswitch, kind: switch }\n"
             "links:\n"
             "  - { from: 'gpu[0-1]', to: nvswitch, count: 18, striped: true, bandwidth: 40.1 GB/s, latency: "
             "0 ns }\n"
             "  - { from: gpu, to: cpu, bandwidth: " +
             pcie + ", latency: 0 ns }\n")
      .graph;
}

std::vector<std::string> warnings_of(const NetworkGraph& graph) {
  Warnings warnings;
  warn_of_missing_rings(graph, {"net.yaml"}, warnings);
  return warnings.lines();
}

std::vector<NodeId> members_of(std::size_t npus) {
  std::vector<NodeId> members;
  for (const NodeId npu : first_ids<NodeId>(npus)) members.push_back(npu);
  return members;
}

ChannelHop hop(int from, int to) {
  return {NodeId(from), NodeId(to), {}};
}

// NCCL tries rates down to 18 GB/s on machines of B200. Without a ring it takes the GPUs in their order.
TEST(GroupChannels, FallBackToOneChannelInTheOrderOfGpus) {
  const NetworkGraph graph = broken_machine();
  const GroupChannels channels(graph, members_of(3), {"net.yaml"});
  EXPECT_EQ(channels.searched(), 1U);
  EXPECT_EQ(channels.executed(), 2U);
  EXPECT_TRUE(channels.plan(0).heads.empty());
  EXPECT_EQ(channels.plan(0).ring.rate_inside, rate_of_gb_per_s(0.1));
  EXPECT_EQ(channels.ring(0), (std::vector<ChannelHop>{hop(0, 1), hop(1, 2), hop(2, 0)}));
  EXPECT_EQ(channels.tree(0), (std::vector<ChannelHop>{hop(1, 0), hop(2, 1)}));
  EXPECT_EQ(warnings_of(graph),
            (std::vector<std::string>{
                "net.yaml: warning: no ring at the rates that NCCL tries leads through the 3 NPUs of the "
                "machine of "
                "gpu0: NCCL falls back to one channel in the order of the NPUs, which is executed twice"}));
}

TEST(GroupChannels, FasterWaysAreARing) {
  const NetworkGraph graph = broken_machine("96 GB/s");
  EXPECT_GT(GroupChannels(graph, members_of(3), {}).plan(0).ring.rate_inside, rate_of_gb_per_s(0.1));
  EXPECT_TRUE(warnings_of(graph).empty());
}

// Whatever is sent then says what is missing, or NPUs relay it.
TEST(GroupChannels, AreInTheOrderOfMembersThatDoNotReachOneAnother) {
  const NetworkGraph graph =
      built(
          "nodes: [ { name: gpu, kind: npu, count: 2 }, { name: cpu, kind: cpu } ]\n"
          "links: [ { from: gpu, to: cpu, bandwidth: 1 GB/s, latency: 0 ns, one-way: true } ]\n")
          .graph;
  const GroupChannels channels(graph, members_of(2), {"net.yaml"});
  ASSERT_EQ(channels.searched(), 1u);
  ASSERT_EQ(channels.ring(0).size(), 2u);
  EXPECT_EQ(channels.ring(0)[0].from, NodeId(0));
  EXPECT_EQ(channels.ring(0)[0].to, NodeId(1));
  EXPECT_EQ(warnings_of(graph).size(), 1u);
}

}  // namespace
}  // namespace orrery::core::test::group_channels_test
