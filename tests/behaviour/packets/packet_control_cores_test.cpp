// Cores of hosts that run congestion control (docs/models/network-packet.md, Who runs congestion control).
#include <gtest/gtest.h>

#include "network/packet/model/packet_keys.hpp"
#include "support/packet_runs.hpp"

namespace orrery::core::test::packet_control_cores_test {
namespace {

constexpr std::uint64_t payload = 4096;
constexpr std::uint64_t packets = 4000;
constexpr double frame_ns = (4096 + 82) * 8 / 100.0;  // at 100 Gbit/s

// Two hosts behind a switch, at 100 Gbit/s and 5 us a link.
const std::string star = "3 1 2\n2\n0 2 100Gbps 5us 0\n1 2 100Gbps 5us 0\n";

double ns_per_packet(const std::string& keys) {
  const PacketSettings settings =
      read_packets(parse_yaml("{ congestion-control: dctcp" + keys + " }", "packets"));
  const PacketRun run = run_packets(ns3_topology(star), settings, {packet_flow(0, 1, packets * payload)});
  return run.flows[0].end.ns() / packets;
}

// A round trip of 20 us costs less than a hundredth of the time of all packets.
TEST(PacketControlCores, BoundTheRateOfTheirNpu) {
  const double by_nic = ns_per_packet("");
  EXPECT_NEAR(by_nic, frame_ns, 0.02 * frame_ns);
  EXPECT_NEAR(ns_per_packet(", control-time: 1 us"), 1000, 20);
  EXPECT_NEAR(ns_per_packet(", control-time: 1 us, control-cores: 2"), 500, 10);
}

// As long as a core keeps up, flows only hear later of what has arrived, so that the window holds for less.
TEST(PacketControlCores, ThatKeepUpCostNextToNothing) {
  const double by_nic = ns_per_packet("");
  for (const char* keys : {", control-time: 195 ns", ", control-time: 1 us, control-cores: 4"}) {
    EXPECT_GE(ns_per_packet(keys), by_nic) << keys;
    EXPECT_LT(ns_per_packet(keys), 1.06 * by_nic) << keys;
  }
}

}  // namespace
}  // namespace orrery::core::test::packet_control_cores_test
