// Tests how far and how fast pauses and the want of credits reach back along a chain of switches, against
// closed forms. A host sends over links of 100 Gbit/s and 1 us to a host behind a link of 1 Gbit/s, which
// takes the first packet while everything behind it fills.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "network/packet/model/packet_keys.hpp"
#include "support/packet_runs.hpp"

namespace orrery::core::test::packet_backpressure_test {
namespace {

constexpr int switches = 4;
constexpr double delay_ns = 1000;
constexpr std::uint64_t payload = 4096, packets = 150;

// Host 0, host 1, and the switches, of which the last one has the slow link to host 1.
Topology chain() {
  std::string text = fmt::format("{} {} {}\n", switches + 2, switches, switches + 1);
  for (int i = 0; i < switches; ++i) text += fmt::format("{} ", i + 2);
  text += "\n0 2 100Gbps 1us 0\n";
  for (int i = 0; i + 1 < switches; ++i) text += fmt::format("{} {} 100Gbps 1us 0\n", i + 2, i + 3);
  return ns3_topology(text + fmt::format("1 {} 1Gbps 1us 0\n", switches + 1));
}

// Hop 0 is the link of the sending host, and hop j that from the j-th switch to the next one.
LinkId hop(const Topology& topology, int j) {
  const NetworkGraph& graph = *topology.graph;
  const NodeId from(j == 0 ? 0 : j + 1), to(j + 2);
  for (const LinkId link : graph.links_from(from))
    if (graph.link(link).to == to) return link;
  throw std::out_of_range("there is no such hop");
}

struct HopCursor {
  std::vector<double> stops = std::vector<double>(switches);        // when a hop has sent its last packet
  std::vector<double> goes_on = std::vector<double>(switches, -1);  // when a pause of it has ended
  std::vector<double> sent_again = std::vector<double>(switches);   // as `stops`, a while later
  std::vector<std::uint64_t> sent = std::vector<std::uint64_t>(switches);  // until it stops
  std::uint64_t drops = 0;
};

// Looks when everything stands still, again `later_ns` later, and at all pauses in between and behind.
HopCursor run(const std::string& map, double still_ns, double later_ns) {
  const Topology topology = chain();
  HopCursor timing;
  std::vector<bool> was_paused(switches);
  bool has_stopped = false, has_gone_on = false;
  const PacketRun made =
      run_packets(topology, read_packets(parse_yaml(map, "packets")), {packet_flow(0, 1, packets * payload)},
                  {Time::from_ns(10), [&](PacketNetwork& network, Time now) {
                     for (int j = 0; j < switches; ++j) {
                       const PacketPort& port = network.links().port(hop(topology, j));
                       const auto at = static_cast<std::size_t>(j);
                       const double free_ns = Time::from_ps(port.free_at).ns();
                       if (!has_stopped && now.ns() > still_ns) {
                         timing.stops[at] = free_ns;
                         timing.sent[at] = port.packets;
                       }
                       if (!has_gone_on && now.ns() > still_ns + later_ns) timing.sent_again[at] = free_ns;
                       if (was_paused[at] && !port.queues.is_paused(3) && timing.goes_on[at] < 0)
                         timing.goes_on[at] = now.ns();
                       was_paused[at] = port.queues.is_paused(3);
                     }
                     has_stopped = has_stopped || now.ns() > still_ns;
                     has_gone_on = has_gone_on || now.ns() > still_ns + later_ns;
                   }});
  timing.drops = made.totals.drops;
  return timing;
}

// A switch pauses the sender when more than X packets wait that came from it. That is X + 1 packets after the
// hop behind it has stopped, which happens when the pause has arrived and the packet on the wire has ended.
TEST(PacketBackpressure, PausesReachTheSenderHopByHop) {
  constexpr int pause_above = 4, resume_below = 3;
  constexpr double packet_ns = payload * 8 / 100.0, pause_ns = 84 * 8 / 100.0, slow_ns = payload * 8;
  const double still_ns = switches * (packet_ns + delay_ns) + slow_ns - 100;
  const HopCursor timing = run(fmt::format("{{ header: 0, window: none, pause-above: {}, resume-below: {} }}",
                                           pause_above, resume_below),
                               still_ns, 0);
  std::vector<double> sent(switches + 1);  // packets by hop until everything stands still
  sent[switches] = 1;                      // by the slow link
  for (int j = switches - 1; j >= 0; --j) {
    const auto at = static_cast<std::size_t>(j);
    const double begins = j * (packet_ns + delay_ns), begins_behind = begins + packet_ns + delay_ns;
    const double asked = begins_behind + (sent[at + 1] + pause_above) * packet_ns;
    sent[at] = std::floor((asked + pause_ns + delay_ns - begins) / packet_ns) + 1;
    EXPECT_NEAR(timing.stops[at], begins + sent[at] * packet_ns, 0.01) << j;
  }
  // A switch has its sender go on when less than Y packets wait that came from it. The last one has a
  // departure in the time of a packet on the slow link, the others in that of a packet after their own pause.
  double goes_on = switches * (packet_ns + delay_ns) - packet_ns, departure_ns = slow_ns;
  for (int j = switches - 1; j >= 0; --j) {
    const auto at = static_cast<std::size_t>(j);
    const double departures = sent[at] - sent[at + 1] - resume_below;  // one less than are needed
    const double earliest = goes_on + departures * departure_ns + pause_ns + delay_ns;
    if (j == switches - 1)
      EXPECT_NEAR(timing.goes_on[at], earliest + slow_ns + packet_ns, 20);
    else
      EXPECT_GE(timing.goes_on[at], earliest) << j;
    EXPECT_GT(timing.goes_on[at], 0) << j;
    goes_on = timing.goes_on[at] - 10;
    departure_ns = packet_ns;
  }
  EXPECT_EQ(timing.drops, 0u);
}

// In the end every buffer behind the slow link holds B packets, which every hop has to send. When a packet
// leaves the last buffer, one can leave each of the others as soon as the message that says so has come.
TEST(PacketBackpressure, WantOfCreditsReachesTheSenderHopByHop) {
  constexpr std::uint64_t blocks = 65;
  constexpr double packet_ns = (payload + 26) * 8 / 100.0, update_ns = 8 * 8 / 100.0,
                   slow_ns = (payload + 26) * 8;
  constexpr int buffer = 10;
  const double begins = switches * (packet_ns + delay_ns), reaches = switches * (update_ns + delay_ns);
  const HopCursor timing = run(
      fmt::format("{{ profile: infiniband, credits: {{ buffer: {} B }} }}", buffer * blocks * credit_block),
      begins + slow_ns - 100, 100 + reaches + packet_ns + 100);
  for (int j = 0; j < switches; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const int sent = 1 + buffer * (switches - j);
    EXPECT_EQ(timing.sent[at], static_cast<std::uint64_t>(sent)) << j;
    EXPECT_GT(timing.stops[at], j * (packet_ns + delay_ns) + sent * packet_ns - 0.01) << j;
    const double goes_on = begins + slow_ns + (switches - j) * (update_ns + delay_ns);
    EXPECT_NEAR(timing.sent_again[at], goes_on + packet_ns, 0.01) << j;
  }
  EXPECT_EQ(timing.drops, 0u);
}

}  // namespace
}  // namespace orrery::core::test::packet_backpressure_test
