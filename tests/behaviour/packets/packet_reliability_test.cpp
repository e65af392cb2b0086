// Tests what becomes of lost packets, against closed forms. Links have 100 Gbit/s and 1 us.
#include <gtest/gtest.h>

#include "network/packet/model/packet_keys.hpp"
#include "support/packet_runs.hpp"

namespace orrery::core::test::packet_reliability_test {
namespace {

PacketSettings settings_of(const std::string& map) {
  return read_packets(parse_yaml(map, "packets"));
}

constexpr double packet_ns = (4096 + 82) * 8 / 100.0, ack_ns = 84 * 8 / 100.0;

double end_ns(const std::string& map, std::uint64_t packets) {
  return run_packets(ns3_topology(ns3_star(2)), settings_of(map), {packet_flow(0, 1, 4096 * packets)})
      .flows[0]
      .end.ns();
}

// A share of 1 - (1 - p)^2 of the packets is lost on two links. When only these are sent again, the link is
// busy with the others for the rest of the time. A sender that goes back to each loss sends a window of w
// packets again for each, so that a share of (1 - q) / (1 - q + q w) of what it sends counts. Here that is an
// upper bound, as a receiver says only once in 500 us what is missing.
TEST(PacketReliability, SelectiveRepeatSendsAgainWhatIsLostAndNothingElseSlow) {
  constexpr std::uint64_t packets = 40'000;
  for (const double loss : {0.001, 0.01}) {
    const double kept = (1 - loss) * (1 - loss);
    const std::string map = "{ loss: " + std::to_string(loss) + ", reliability: ";
    const double ideal = packets * packet_ns / kept;
    const double selective = end_ns(map + "selective-repeat }", packets);
    EXPECT_NEAR(selective / ideal, 1, 0.03) << loss;
    const double window = 4000 / packet_ns, back = (1 - loss) / (1 - loss + loss * window);
    EXPECT_GT(end_ns(map + "go-back-n }", packets), packets * packet_ns / back) << loss;
  }
}

// The last packet has no others behind it that would tell of its loss, so a timeout has to.
TEST(PacketReliability, ALostTailCostsATimeout) {
  int late = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    const std::string map =
        "{ loss: 0.2, reliability: selective-repeat, seed: " + std::to_string(seed) + " }";
    const PacketRun run = run_packets(ns3_topology(ns3_star(2)), settings_of(map), {packet_flow(0, 1, 4096)});
    const double alone = 2 * (packet_ns + 1000);
    const double ns = run.flows[0].end.ns();
    if (run.totals.data == 1) {
      EXPECT_NEAR(ns, alone, 1);
    } else if (run.totals.drops == 1 && run.totals.acks == 1) {
      EXPECT_NEAR(ns, alone + 1e6, 1);
      ++late;
    }
  }
  EXPECT_GT(late, 10);
}

// Whatever the kind, a run without losses takes the same time.
TEST(PacketReliability, WithoutLossesAllKindsAreEqual) {
  const double usual = end_ns("{ reliability: go-back-n }", 1000);
  EXPECT_EQ(end_ns("{ reliability: selective-repeat }", 1000), usual);
  EXPECT_EQ(end_ns("{ reliability: duplicate-acks }", 1000), usual);
}

// Two senders with large windows fill a queue of ten packets at the port of the receiver. It never has more,
// switches lose the rest, and all arrives.
TEST(PacketReliability, QueuesAreNoLongerThanTheirLimit) {
  for (const char* kind : {"go-back-n", "selective-repeat", "duplicate-acks"}) {
    PacketSettings settings = settings_of(std::string("{ flow-control: none, reliability: ") + kind + " }");
    settings.buffer.queue = 10 * (4096 + 82);
    const PacketRun run = run_packets(ns3_topology(ns3_star(3)), settings,
                                      {packet_flow(0, 2, 4'096'000), packet_flow(1, 2, 4'096'000)});
    EXPECT_EQ(run.longest_queue, settings.buffer.queue) << kind;
    EXPECT_GT(run.totals.drops, 0u) << kind;
    EXPECT_GE(run.totals.resent_bytes, run.totals.drops * 4096) << kind;
    std::uint64_t resent = 0;
    for (const LinkUse& link : run.links) resent += link.of_packets->resent.count();
    EXPECT_EQ(resent, run.totals.resent_bytes) << kind;
    EXPECT_EQ(run.flows.size(), 2u) << kind;
  }
}

// Seven senders to one, whose queue is paused by fixed thresholds: the link to the receiver is never idle.
TEST(PacketReliability, FixedThresholdsPauseSendersAndLoseNothing) {
  std::vector<Flow> flows;
  for (int sender = 0; sender < 7; ++sender) flows.push_back(packet_flow(sender, 7, 4'096'000));
  const PacketRun run = run_packets(
      ns3_topology(ns3_star(8)), settings_of("{ window: none, pause-above: 20, resume-below: 15 }"), flows);
  EXPECT_GT(run.totals.pauses, 0u);
  EXPECT_EQ(run.totals.drops, 0u);
  // When a port is asked to pause, at most what its link carries in two delays is under way, and two packets
  // that have begun.
  EXPECT_LT(run.longest_queue, 7 * (21 * (4096 + 82) + 2 * 12'500 + 2 * (4096 + 82)));
  EXPECT_NEAR(static_cast<double>(run.last_ns()), (7 * 1000 + 1) * packet_ns + 2 * ack_ns + 4000, 2);
}

}  // namespace
}  // namespace orrery::core::test::packet_reliability_test
