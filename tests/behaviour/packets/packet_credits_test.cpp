// Links with credits, as InfiniBand has them, against closed forms. On links of 100 Gbit/s and 1 us a packet
// of 4096 bytes takes 329.76 ns with its header of 26, and a message that says how many credits there are
// 0.64 ns. A packet fills 65 blocks of a buffer.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/changes/failures.hpp"

namespace orrery::core::test::packet_credits_test {
namespace {

constexpr double packet_ns = 329.76, update_ns = 0.64, delay_ns = 1000;
constexpr std::uint64_t payload = 4096, packet_blocks = 65;

PacketSettings settings_of(const std::string& keys) {
  return read_packets(parse_yaml("{ profile: infiniband, " + keys + " }", "packets"));
}
std::string buffer_of(std::uint64_t packets) {
  return "credits: { buffer: " + std::to_string(packets * packet_blocks * credit_block) + " B }";
}

// InfiniBand Architecture, volume 1, section 7.9: the sender may have as much under way as fits into the
// buffer, and has news of what left it after a loop of the packet, the latency there and back, and the
// message.
TEST(PacketCredits, ABufferIsSentPerLoopOfTheLink) {
  constexpr std::uint64_t packets = 1000;
  constexpr double loop_ns = packet_ns + 2 * delay_ns + update_ns;
  for (const std::uint64_t buffer : {1, 2, 3, 4, 12, 31}) {
    const PacketRun run = run_packets(ns3_topology(ns3_star(2)), settings_of(buffer_of(buffer)),
                                      {packet_flow(0, 1, packets * payload)});
    const double period_ns = std::max(packet_ns, loop_ns / static_cast<double>(buffer));
    const double expected_ns = (packets - 1) * period_ns + 2 * (packet_ns + delay_ns);
    EXPECT_NEAR(run.flows[0].end.ns(), expected_ns, 0.002 * expected_ns) << buffer;
  }
}

// Seven senders overload a link. It is never idle, nothing is lost, and no buffer holds more than there is.
TEST(PacketCredits, ManySendersToOneFillItsLinkAndLoseNothing) {
  std::vector<Flow> flows;
  for (int sender = 0; sender < 7; ++sender) flows.push_back(packet_flow(sender, 7, 200 * payload));
  for (const std::uint64_t buffer : {12, 31}) {
    const PacketRun run = run_packets(ns3_topology(ns3_star(8)), settings_of(buffer_of(buffer)), flows);
    double last = 0;
    for (const FlowTimes& flow : run.flows) last = std::max(last, flow.end.ns());
    EXPECT_NEAR(last, (7 * 200 + 1) * packet_ns + 2 * delay_ns, 2 * packet_ns);
    EXPECT_EQ(run.totals.drops, 0u);
    EXPECT_EQ(run.totals.pauses, 0u);
    const auto waiting = run.link("switch8", "npu7").of_packets->longest_queue.count();
    EXPECT_LE(waiting, 7 * buffer * (payload + 26));
    EXPECT_GT(waiting, 6 * buffer * (payload + 26));
  }
}

Topology fat_tree() {
  return read_graph_network(
      parse_yaml("build: fat-tree\nlink: { bandwidth: 12.5 GB/s, latency: 1 us }\n"
                 "levels: [ { size: 4 }, { size: 4 } ]\n",
                 "tree"));
}

TEST(PacketCredits, WhateverIsSentArrivesAndAllBuffersAreEmptyInTheEnd) {
  Random random(1);
  std::vector<Flow> flows(200);
  for (Flow& flow : flows) {
    flow = packet_flow(random.between(0, 15), 0, static_cast<std::uint64_t>(random.between(1, 500'000)),
                       Time::from_ns(random.between(0, 300'000)));
    flow.destination = (flow.source + random.between(1, 15)) % 16;
    flow.priority = random.between(1, 7);
  }
  for (const char* keys :
       {"credits: { buffer: 4160 B }", "credits: { lanes: [1, 1, 1, 2, 2, 3, 3] }", "payload: 256",
        "congestion-control: infiniband", "credits: { buffer: 16 KiB }, congestion-control: dcqcn"}) {
    const PacketRun run = run_packets(fat_tree(), settings_of(keys), flows);
    EXPECT_EQ(run.totals.drops, 0u) << keys;
    EXPECT_EQ(run.totals.resent_bytes, 0u) << keys;
    EXPECT_EQ(run.held_bytes, 0u) << keys;
    for (const FlowTimes& flow : run.flows) EXPECT_TRUE(flow.acknowledged) << keys;
  }
}

// A link that breaks loses what is sent into it and the news of credits. Flows that come when it works again
// fare as if it always had.
TEST(PacketCredits, ALinkThatWasBrokenHasItsCreditsAgain) {
  Topology tree = fat_tree();
  std::vector<Flow> flows;
  for (int host = 0; host < 16; ++host) flows.push_back(packet_flow(host, (host + 5) % 16, 30 * payload));
  for (int i = 0; i < 16; ++i)  // one after the other
    flows.push_back(
        packet_flow(i % 2 * 5, 5 - i % 2 * 5, 30 * payload, Time::from_ns(2'000'000 + i * 100'000)));
  const PacketSettings settings = settings_of("local-ack-timeout: 4, " + buffer_of(4));
  const PacketRun whole = run_packets(tree, settings, flows);
  tree.link_changes = std::make_shared<LinkChanges>(read_failure_file(
      "- { link: leaf0-spine0, cables: 1, at: 5 us, until: 100 us }\n", "failures", *tree.graph));
  const PacketRun run = run_packets(tree, settings, flows);
  EXPECT_GT(run.totals.drops, 0u);
  EXPECT_EQ(run.held_bytes, 0u);
  for (std::size_t flow = 16; flow < flows.size(); ++flow)
    EXPECT_EQ(run.flows[flow].end, whole.flows[flow].end);
}

TEST(PacketCredits, LossyLinksGiveTheirCreditsBack) {
  const PacketRun run =
      run_packets(ns3_topology(ns3_star(2)), settings_of("loss: 0.02, local-ack-timeout: 3, " + buffer_of(2)),
                  {packet_flow(0, 1, 300 * payload)});
  EXPECT_GT(run.totals.drops, 0u);
  EXPECT_EQ(run.held_bytes, 0u);
}

// NPUs 0 and 1 behind one switch send to 2 and 3 behind the other. NPUs 4 and 5 are local to 2, to which they
// send, too. NPU 3 receives from 1 alone.
const std::string two_switches =
    "8 2 7\n6 7\n0 6 100Gbps 1us 0\n1 6 100Gbps 1us 0\n6 7 100Gbps 1us 0\n2 7 100Gbps 1us 0\n"
    "3 7 100Gbps 1us 0\n4 7 100Gbps 1us 0\n5 7 100Gbps 1us 0\n";

std::vector<double> victim_rates(const std::string& keys, int priority_of_victim = 3) {
  constexpr std::uint64_t bytes = 2000 * payload;
  std::vector<Flow> flows{packet_flow(0, 2, bytes), packet_flow(1, 3, bytes), packet_flow(4, 2, bytes),
                          packet_flow(5, 2, bytes)};
  for (Flow& flow : flows) flow.priority = 3;
  flows[1].priority = priority_of_victim;
  std::vector<double> gbit_per_s;
  for (const FlowTimes& flow : run_packets(ns3_topology(two_switches), settings_of(keys), flows).flows)
    gbit_per_s.push_back(8.0 * bytes / flow.end.ns());
  return gbit_per_s;
}

// The switch between them cannot pass on what is for NPU 3 either, as its buffer is full of what is for
// NPU 2.
TEST(PacketCredits, AVictimWaitsBehindThoseWithoutCredits) {
  const std::vector<double> rates = victim_rates("credits: {}");
  for (const double rate : rates) EXPECT_NEAR(rate, 100 / 3.0, 2);
}

// NPU 0 can use only a third of the link between the switches.
TEST(PacketCredits, AVictimInALaneOfItsOwnIsNone) {
  EXPECT_GT(victim_rates("credits: {}", 4)[1], 64);
  EXPECT_LT(victim_rates("credits: { lanes: [1, 2, 3, 3, 5, 6, 7] }", 4)[1], 36);
}

TEST(PacketCredits, CongestionControlHelpsTheVictim) {
  EXPECT_GT(victim_rates("congestion-control: infiniband")[1], 1.3 * 100 / 3.0);  // it has a third without
}

// Only the port whose own link is too slow marks packets, not the port behind which a full buffer lies.
TEST(PacketCredits, MarksAreMadeAtTheRootOfCongestion) {
  constexpr std::uint64_t bytes = 2000 * payload;
  const PacketRun run = run_packets(ns3_topology(two_switches),
                                    settings_of("marks: { rate: 100 Gbit/s, least: 64 KB, most: 64 KB }"),
                                    {packet_flow(0, 2, bytes), packet_flow(1, 3, bytes),
                                     packet_flow(4, 2, bytes), packet_flow(5, 2, bytes)});
  const auto marks = [&](const char* from, const char* to) { return run.link(from, to).of_packets->marks; };
  EXPECT_GT(run.link("switch6", "switch7").of_packets->longest_queue, Bytes(128'000));
  EXPECT_GT(marks("switch7", "npu2"), 4000u);
  EXPECT_LT(marks("switch6", "switch7"), 4000u / 5);  // of 4000 packets
}

// Lanes 1 and 2 of one sender share its link, three packets to one, until the first has ended.
TEST(PacketCredits, LanesShareALinkByTheirWeights) {
  std::vector<Flow> flows{packet_flow(0, 1, 900 * payload), packet_flow(0, 2, 900 * payload)};
  flows[0].priority = 1;
  flows[1].priority = 2;
  const std::string lanes = "lanes: [1, 2, 2, 2, 2, 2, 2], ";
  const auto ends = [&](const std::string& turns) {
    const PacketRun run =
        run_packets(ns3_topology(ns3_star(3)), settings_of("credits: { " + lanes + turns + " }"), flows);
    return std::pair(run.flows[0].end.ns() / packet_ns, run.flows[1].end.ns() / packet_ns);
  };
  const auto [first, last] = ends("low: [ { lane: 1, weight: 195 }, { lane: 2, weight: 65 } ]");
  EXPECT_NEAR(first, 1200, 15);
  EXPECT_NEAR(last, 1800, 15);
  const auto [high, low] = ends("high: [ { lane: 1 } ], low: [ { lane: 2 } ]");
  EXPECT_NEAR(high, 900, 15);
  EXPECT_NEAR(low, 1800, 15);
  // The high lane's 16 packets of 65 blocks exceed 64 KiB, and then the low lane has its turn.
  const auto [limited, rest] = ends("high: [ { lane: 1 } ], low: [ { lane: 2 } ], high-limit: 16");
  EXPECT_NEAR(limited, 900 * 17 / 16.0, 15);
  EXPECT_NEAR(rest, 1800, 15);
}

// Lane 1 from NPU 0 and lane 2 from NPU 1 meet at the port to NPU 2.
TEST(PacketCredits, SwitchesGiveLanesTheirWeights) {
  std::vector<Flow> flows{packet_flow(0, 2, 900 * payload), packet_flow(1, 2, 900 * payload)};
  flows[0].priority = 1;
  flows[1].priority = 2;
  const PacketRun run = run_packets(ns3_topology(ns3_star(3)),
                                    settings_of("credits: { lanes: [1, 2, 2, 2, 2, 2, 2], low: [ { lane: 1, "
                                                "weight: 65 }, { lane: 2, weight: 195 } ] }"),
                                    flows);
  EXPECT_NEAR(run.flows[1].end.ns() / packet_ns, 1200, 25);
  EXPECT_NEAR(run.flows[0].end.ns() / packet_ns, 1800, 25);
}

// A packet that is lost k times arrives k timeouts of 4.096 us * 2^3 later.
TEST(PacketCredits, TheTimeoutStaysTheSame) {
  PacketSettings settings = settings_of("local-ack-timeout: 3, retries: 1000, loss: 0.5");
  constexpr double timeout_ns = 32'768;
  double most = 0;
  for (settings.seed = 1; settings.seed <= 20; ++settings.seed) {
    const PacketRun run = run_packets(ns3_topology(ns3_star(2)), settings, {packet_flow(0, 1, payload)});
    const double timeouts = (run.flows[0].end.ns() - 2 * (packet_ns + delay_ns)) / timeout_ns;
    EXPECT_NEAR(timeouts, std::round(timeouts), 1e-4);
    most = std::max(most, timeouts);
  }
  EXPECT_GT(most, 2.5);
}

// A host that stops for 10 us keeps the credits of what has arrived, so that its sender has to stop, too.
TEST(PacketCredits, AHostThatStopsStopsItsSender) {
  PacketSettings settings = settings_of(buffer_of(8));
  const std::vector<Flow> flow{packet_flow(0, 1, 500 * payload)};
  const Time alone = run_packets(ns3_topology(ns3_star(2)), settings, flow).flows[0].end;
  settings.nic_pauses.times = 1;
  const PacketRun run = run_packets(ns3_topology(ns3_star(2)), settings, flow);
  EXPECT_NEAR((run.flows[0].end - alone).ns(), 10'000, 2 * (delay_ns + 8 * packet_ns));
  EXPECT_EQ(run.totals.pauses, 0u);
  EXPECT_EQ(run.totals.drops, 0u);
}

}  // namespace
}  // namespace orrery::core::test::packet_credits_test
