// Tests which wires packets take apart from rings: those over switches, and those from package to package.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

#include "support/flit_networks.hpp"

namespace orrery::core::flit_switches_test {
namespace {

using test::flit_flow;
using test::flit_network;
using test::run_flits;

// Flits of 256 bytes, of which a wire passes one in 8 cycles, and packets of 16 flits.
std::string switched(int npus, int packages, int switches, const char* routing) {
  return fmt::format(
      "num-npus: {} num-packages: {} topology: NV_Switch links-per-tile: {} routing-algorithm: {} "
      "flit-width: 2048 local-packet-size: 4096 package-packet-size: 4096 tile-link-width: 256 "
      "package-link-width: 256 vcs-per-vnet: 50 local-link-latency: 90 package-link-latency: 200 "
      "buffers-per-vc: 5000 ",
      npus, packages, switches, routing);
}

// Returns the time of a single message (docs/models/network-flits.md) over this many wires of such a network.
constexpr double alone_ns(int hops, int latency, int flits) {
  return 1 + 2 * 90 + (hops + 1) + hops * (latency + 8 + 3) + (flits - 1) * 8;
}

// Packets by the ends of wires.
std::map<std::string, std::uint64_t> packets_of(const FlowsResult& result) {
  std::map<std::string, std::uint64_t> packets;
  for (const LinkUse& link : result.links) packets[link.from + " " + link.to] += link.of_flits->packets;
  return packets;
}

TEST(FlitSwitches, AMessageTakesTwoHopsOverTheOnlySwitch) {
  const Topology topology = flit_network(switched(8, 8, 1, "AllToAll"));
  EXPECT_EQ(run_flits(topology, {flit_flow(0, 5, 1)}).end.ns(), alone_ns(2, 200, 16));
  EXPECT_EQ(run_flits(topology, {flit_flow(3, 4, 1 << 20)}).end.ns(), alone_ns(2, 200, 256 * 16));
}

// The wire from the switch to NPU 0 passes the flits of all three one after another.
TEST(FlitSwitches, SeveralSendersShareTheWireToTheirReceiver) {
  const Topology topology = flit_network(switched(8, 8, 1, "AllToAll"));
  constexpr int flits = 16 * 16;
  const FlowsResult result =
      run_flits(topology, {flit_flow(1, 0, 65536), flit_flow(2, 0, 65536), flit_flow(3, 0, 65536)});
  EXPECT_EQ(result.end.ns(), alone_ns(2, 200, flits) + 2 * flits * 8);
}

TEST(FlitSwitches, PacketsTakeSwitchesInTurn) {
  const FlowsResult result =
      run_flits(flit_network(switched(4, 4, 4, "AllToAll")), {flit_flow(1, 2, 4096 * 40)});
  for (const char* wires : {"npu1 switch4", "npu1 switch7", "switch5 npu2", "switch6 npu2"})
    EXPECT_EQ(packets_of(result)[wires], 10u) << wires;
  for (const LinkUse& link : result.links) EXPECT_EQ(link.load.messages, 1u);
}

TEST(FlitSwitches, AMessageOfOnePacketIsCountedAtOneSwitch) {
  const FlowsResult result = run_flits(flit_network(switched(4, 4, 4, "AllToAll")),
                                       {flit_flow(1, 2, 1), flit_flow(1, 2, 1), flit_flow(1, 2, 1)});
  ASSERT_EQ(result.links.size(), 6u);
  for (const LinkUse& link : result.links) EXPECT_EQ(link.load.messages, 1u);
}

TEST(FlitSwitches, WithATableAllTakeTheFirstSwitch) {
  const FlowsResult result =
      run_flits(flit_network(switched(4, 4, 4, "table")), {flit_flow(1, 2, 4096 * 40)});
  EXPECT_EQ(packets_of(result),
            (std::map<std::string, std::uint64_t>{{"npu1 switch4", 40}, {"switch4 npu2", 40}}));
}

// A switch is two hops away and weighs twice as much as a local one, so that rings of more than two hops are
// left.
TEST(FlitSwitches, WithATableFarNpusOfAPackageAreReachedOverASwitch) {
  const Topology topology = flit_network(switched(8, 2, 1, "table"));
  EXPECT_EQ(packets_of(run_flits(topology, {flit_flow(0, 2, 1)})),
            (std::map<std::string, std::uint64_t>{{"npu0 npu1 (vnet 0)", 1}, {"npu1 npu2 (vnet 0)", 1}}));
  EXPECT_EQ(packets_of(run_flits(topology, {flit_flow(0, 3, 1)})),
            (std::map<std::string, std::uint64_t>{{"npu0 switch8", 1}, {"switch8 npu3", 1}}));
}

TEST(FlitSwitches, NpusOfTheSamePlaceInPackagesHaveAWireToEachOther) {
  const Topology topology = flit_network(
      "num-npus: 8 num-packages: 4 topology: AllToAll routing-algorithm: AllToAll flit-width: 256 "
      "package-link-width: 256 package-packet-size: 64 ");
  const FlowsResult result = run_flits(topology, {flit_flow(1, 7, 64 * 5)});
  ASSERT_EQ(result.links.size(), 1u);
  EXPECT_EQ(result.links[0].from, "npu1");
  EXPECT_TRUE(result.links[0].to.starts_with("npu7 (vnet ")) << result.links[0].to;
  EXPECT_EQ(result.links[0].of_flits->flits, 5u * 2);
}

}  // namespace
}  // namespace orrery::core::flit_switches_test
