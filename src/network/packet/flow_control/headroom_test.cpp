#include "network/packet/flow_control/headroom.hpp"

#include <gtest/gtest.h>

#include "network/packet/model/packet_keys.hpp"

namespace orrery::core::headroom_test {
namespace {

// A switch and a host, which sends to it at 100 Gbit/s and over 1 us.
NetworkGraph cable() {
  NetworkGraph graph;
  graph.add({NodeKind::npu, "npu0", false});
  graph.add({NodeKind::network_switch, "switch0", true});
  LinkProperties link;
  link.latency = Time::from_ns(1000);
  link.bandwidth = Bandwidth::from_gb_per_s(12.5);
  graph.join(NodeId(0), NodeId(1), link);
  return graph;
}

PacketSettings settings_of(const char* map) {
  return read_packets(parse_yaml(map, "packets.yaml"));
}

constexpr LinkId port(1);  // of the switch
constexpr std::uint64_t packet = 4096 + 82, pause = 84, bytes_per_us = 12'500;

// Two packets; what comes in the time that a packet and seven requests take the other way; and what the link
// holds there and back. The other way may be slower for a while; a broken link brings nothing.
TEST(Headroom, HoldsWhatComesUntilThePauseIsObeyed) {
  const PacketSettings settings = settings_of("{}");
  const NetworkGraph graph = cable();
  const std::uint64_t ahead = packet + 7 * pause;
  const Headroom headroom(graph, nullptr, settings);
  EXPECT_EQ(headroom.needed(port), 2 * packet + 1 + ahead + 2 * bytes_per_us);
  EXPECT_EQ(headroom.of(port), headroom.needed(port));
  LinkChanges changes;
  changes.list = {{Time::from_ns(5), port, 0.5, {}}, {Time::from_ns(9), port, 0, {}}};
  EXPECT_EQ(Headroom(graph, &changes, settings).needed(port), 2 * packet + 1 + 2 * ahead + 2 * bytes_per_us);
}

TEST(Headroom, IsThatOfTheRulesOrOfTheUser) {
  const NetworkGraph graph = cable();
  EXPECT_EQ(Headroom(graph, nullptr, settings_of("profile: ns-3")).of(port), 3 * bytes_per_us);
  EXPECT_EQ(Headroom(graph, nullptr, settings_of("headroom: 5000 B")).of(port), 5000u);
  EXPECT_EQ(Headroom(graph, nullptr, settings_of("flow-control: none")).of(port), 0u);
  EXPECT_EQ(Headroom(graph, nullptr, settings_of("{}")).set_aside(NodeId(1)),
            4096 + Headroom(graph, nullptr, settings_of("{}")).needed(port));
  EXPECT_EQ(Headroom(graph, nullptr, settings_of("pause-above: 5")).set_aside(NodeId(1)), 0u);
}

}  // namespace
}  // namespace orrery::core::headroom_test
