// Networks of packets against closed forms, with the sizes and the rounding of ns-3's back end: on links of
// 100 Gbit/s and 1 us a packet of 1000 bytes takes 83 ns, an acknowledgement 4 ns.
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "base/random.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/changes/failures.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::packet_network_test {
namespace {

const std::string plain = "CC_MODE 12 HAS_WIN 1 BUFFER_SIZE 32 PACKET_PAYLOAD_SIZE 1000\n";
const std::string no_window = plain + "HAS_WIN 0\n";
// Marks begin so late that there are none.
const std::string maps =
    "ENABLE_QCN 1 KMIN_MAP 1 100000000000 400 KMAX_MAP 1 100000000000 1600 PMAX_MAP 1 100000000000 0.2\n";

constexpr std::int64_t packet_ns = 83, ack_ns = 4, delay_ns = 1000;

// Returns the time of a flow alone: there over two links, and back.
constexpr std::int64_t alone_ns(std::int64_t packets, std::int64_t data = packet_ns,
                                std::int64_t ack = ack_ns) {
  return (packets + 1) * data + 2 * ack + 4 * delay_ns;
}

std::vector<Flow> incast(int senders, std::uint64_t bytes) {
  std::vector<Flow> flows;
  for (int sender = 0; sender < senders; ++sender) flows.push_back(packet_flow(sender, senders, bytes));
  return flows;
}

TEST(PacketNetwork, AFlowAloneTakesItsPacketsAndTheWayThereAndBack) {
  for (const std::uint64_t packets : {1u, 2u, 10u, 1000u}) {
    const PacketRun run = run_ns3(ns3_star(2), plain, {packet_flow(0, 1, 1000 * packets)});
    EXPECT_EQ(run.acknowledged_ns(0), alone_ns(static_cast<std::int64_t>(packets)));
    EXPECT_EQ(run.end_ns(0), run.acknowledged_ns(0) - 2 * (ack_ns + delay_ns));
    EXPECT_EQ(run.totals.data, packets);
    EXPECT_EQ(run.totals.acks, packets);
    EXPECT_EQ(run.left, 0u);
  }
}

TEST(PacketNetwork, LargerPacketsTakeLonger) {
  // 4036 bytes take 322.88 ns.
  const PacketRun run =
      run_ns3(ns3_star(2), plain + "PACKET_PAYLOAD_SIZE 4000\n", {packet_flow(0, 1, 1'000'000)});
  EXPECT_EQ(run.acknowledged_ns(0), alone_ns(250, 323));
}

// Sizes below those of RoCE's were without effect. Of 100 Gbit/s, a byte takes 80 ps, there over two links.
TEST(PacketNetwork, AcknowledgementsAreAsShortAsTheyAreSaidToBe) {
  const auto acknowledged_ps = [](const char* map) {
    const PacketSettings settings = read_packets(parse_yaml(map, "packets"));
    return run_packets(ns3_topology(ns3_star(2)), settings, {packet_flow(0, 1, 1000)})
        .flows[0]
        .acknowledged->ps();
  };
  EXPECT_EQ(acknowledged_ps("{ acknowledgement: 84 }") - acknowledged_ps("{ acknowledgement: 4 }"),
            2 * 80 * 80);
  EXPECT_EQ(acknowledged_ps("{ acknowledgement: 104 }") - acknowledged_ps("{ acknowledgement: 84 }"),
            2 * 20 * 80);
}

TEST(PacketNetwork, TelemetryMakesPacketsLonger) {
  const std::vector<Flow> one{packet_flow(0, 1, 1000)};
  // 1078 and 76 bytes; 1044 and 48 bytes, which an acknowledgement is at least.
  EXPECT_EQ(run_ns3(ns3_star(2), plain + "CC_MODE 3\n", one).acknowledged_ns(0), alone_ns(1, 86, 6));
  EXPECT_EQ(run_ns3(ns3_star(2), plain + "CC_MODE 7\n", one).acknowledged_ns(0), alone_ns(1, 84, 4));
}

TEST(PacketNetwork, ManySendersToOneFillItsLink) {
  constexpr std::int64_t packets = 7 * 5000, last = (packets + 1) * packet_ns + 2 * ack_ns + 4 * delay_ns;
  for (const std::string& config :
       {plain, no_window, plain + maps + "CC_MODE 1\n", plain + maps + "CC_MODE 8\n"}) {
    const PacketRun run = run_ns3(ns3_star(8), config, incast(7, 5'000'000));
    EXPECT_EQ(run.last_ns(), last) << config;
    EXPECT_EQ(run.totals.drops, 0u);
  }
  // With windows the senders take turns to the end.
  const PacketRun fair = run_ns3(ns3_star(8), plain, incast(7, 5'000'000));
  for (std::size_t flow = 0; flow < 7; ++flow) EXPECT_GE(fair.acknowledged_ns(flow), last - 6 * packet_ns);
}

// The numbers of pauses are those of ns-3's back end for the same flows.
TEST(PacketNetwork, ABufferThatFillsPausesSendersAndLosesNothing) {
  constexpr std::int64_t last = (7 * 5000 + 1) * packet_ns + 2 * ack_ns + 4 * delay_ns;
  const auto run_with = [](const std::string& mib) {
    return run_ns3(ns3_star(8), no_window + "BUFFER_SIZE " + mib + "\n", incast(7, 5'000'000));
  };
  const PacketRun small = run_with("1"), large = run_with("32");
  EXPECT_EQ(small.last_ns(), last);
  EXPECT_EQ(large.last_ns(), last);
  EXPECT_EQ(small.totals.pauses, 867u);
  EXPECT_EQ(large.totals.pauses, 546u);
  EXPECT_EQ(small.totals.drops + large.totals.drops, 0u);
}

TEST(PacketNetwork, FlowsShareALinkFromWhenTheSecondComes) {
  // 50 MB take 50,000 packets; the second flow comes when about 12,048 of the first have left, and from then
  // on each has half of the link. Both end when all 100,000 have passed, within one packet.
  const PacketRun run =
      run_ns3(ns3_star(3), plain,
              {packet_flow(0, 2, 50'000'000), packet_flow(1, 2, 50'000'000, Time::from_ns(1'000'000))});
  const std::int64_t all = 100'001 * packet_ns + 2 * ack_ns + 4 * delay_ns;
  EXPECT_NEAR(static_cast<double>(run.last_ns()), static_cast<double>(all), packet_ns);
  EXPECT_NEAR(static_cast<double>(run.acknowledged_ns(0)), 2.0 * 50'000 * packet_ns - 1e6, 10'000);
}

TEST(PacketNetwork, AcknowledgementsShareTheLinksOfARing) {
  std::vector<Flow> ring;
  for (int host = 0; host < 8; ++host) ring.push_back(packet_flow(host, (host + 1) % 8, 16'000'000));
  const PacketRun run = run_ns3(ns3_star(8), no_window, ring);
  // A link carries a packet and an acknowledgement by turns.
  for (std::size_t flow = 0; flow < 8; ++flow)
    EXPECT_EQ(run.acknowledged_ns(flow), 16'000 * (packet_ns + ack_ns) + 4 * delay_ns - 9);
  EXPECT_EQ(run.totals.pauses, 0u);
}

TEST(PacketNetwork, HpccLeavesAPartOfTheLinkFree) {
  const std::string config = plain + "CC_MODE 3 MI_THRESH 0 GLOBAL_T 1 U_TARGET 0.95 BUFFER_SIZE 32\n";
  const PacketRun run = run_ns3(ns3_star(8), config, incast(7, 5'000'000));
  // Packets of 1078 bytes take 86 ns.
  const double ideal = 35'000 * 86 / 0.95;
  EXPECT_GT(static_cast<double>(run.last_ns()), ideal);
  EXPECT_LT(static_cast<double>(run.last_ns()), ideal * 1.02);
}

// A0 and A1 behind one switch send to B0 and B1 behind the other; C0 and C1 are local to B0, to which they
// send.
// Two GPUs whose twelve NVLinks lead to six switches, two to each.
TEST(PacketNetwork, MessagesUseAllStripedLinksAtOnce) {
  Warnings warnings;
  const Topology box = read_any_network(
      "build: nvlink\nsize: 2\nswitches: 6\nlinks: 12\nlink: { bandwidth: 25 GB/s, latency: 100 ns }\n",
      "box.yaml", warnings);
  const PacketSettings settings;
  constexpr std::uint64_t packets = 12 * 1000;
  const PacketRun run = run_packets(box, settings, {packet_flow(0, 1, 4096 * packets)});
  // Each link carries 1,000 packets, and the last packet takes another hop after that.
  EXPECT_NEAR(run.flows[0].end.ns(), 1001 * (4096 + 82) / 25.0 + 200, 1);
}

// Sixteen hosts each send to one of another leaf. Where a hash chooses among the spines, some flows meet;
// sprayed, each gets its link.
TEST(PacketNetwork, SprayedPermutationsHaveTheirLinks) {
  Warnings warnings;
  Topology tree = read_any_network(
      "build: fat-tree\nlink: { bandwidth: 100 Gbit/s, latency: 1 us }\nlevels: [ { size: 4 }, { size: 4 } "
      "]\n",
      "tree.yaml", warnings);
  std::vector<Flow> flows;
  for (int host = 0; host < 16; ++host) flows.push_back(packet_flow(host, (host + 4) % 16, 4'096'000));
  const auto last_ns = [&](Routing routing) {
    tree.routing = routing;
    double last = 0;
    for (const FlowTimes& times : run_packets(tree, PacketSettings(), flows).flows)
      last = std::max(last, times.end.ns());
    return last;
  };
  // Acknowledgements share the links on the way back.
  const double alone = 1000 * (4096 + 82 + 84) * 0.08 + 4000;
  EXPECT_LT(last_ns(&spray_routing), 1.05 * alone);
  EXPECT_GT(last_ns(&ecmp_routing), 1.5 * alone);
}

PacketSettings swift() {
  PacketSettings settings;
  settings.congestion.kind = &swift_control;
  return settings;
}

// Data packets have 8 bytes more, with a time stamp. Nothing waits, so round trips stay below the target.
TEST(PacketNetwork, AFlowAloneUnderSwiftHasItsLine) {
  PacketSettings plain_settings;
  plain_settings.sizes.data_header += swift_control.header_bytes;
  const std::vector<Flow> flow{packet_flow(0, 1, 4096'000)};
  EXPECT_EQ(run_packets(ns3_topology(ns3_star(2)), swift(), flow).end_ns(0),
            run_packets(ns3_topology(ns3_star(2)), plain_settings, flow).end_ns(0));
}

// With a byte of telemetry, rates are as near to the target. ns-3's back end, which draws other random
// numbers, ends these flows after 714 us.
TEST(PacketNetwork, HpccPintLeavesAPartOfTheLinkFree) {
  std::vector<Flow> flows;
  for (int sender = 0; sender < 4; ++sender) flows.push_back(packet_flow(sender, 4, 2'000'000));
  const PacketRun run = run_ns3(ns3_star(5), plain + "CC_MODE 10 MI_THRESH 0\n", flows);
  // Packets of 1037 bytes take 83 ns.
  const double ideal = 8000 * 83 / 0.95;
  EXPECT_GT(static_cast<double>(run.last_ns()), 0.98 * ideal);
  EXPECT_LT(static_cast<double>(run.last_ns()), 1.1 * ideal);
  EXPECT_NEAR(static_cast<double>(run.last_ns()), 714'000, 0.05 * 714'000);
  EXPECT_EQ(run.totals.pauses, 0u);
  // When only a tenth of the acknowledgements count, the result is nearly the same.
  const PacketRun fewer = run_ns3(ns3_star(5), plain + "CC_MODE 10 MI_THRESH 0 PINT_PROB 0.1\n", flows);
  EXPECT_LT(static_cast<double>(fewer.last_ns()), 1.15 * ideal);
}

// Eight senders share a link fairly and keep it busy. What waits for it is so short that nobody is paused,
// while as many senders without control are.
TEST(PacketNetwork, SwiftKeepsQueuesShortAndSharesFairly) {
  PacketSettings settings = swift();
  settings.window.limited = false;
  settings.buffer.bytes = 4 << 20;
  const std::vector<Flow> flows = incast(8, 20'480'000);
  settings.congestion.kind = nullptr;
  EXPECT_GT(run_packets(ns3_topology(ns3_star(9)), settings, flows).totals.pauses, 0u);
  settings.congestion.kind = &swift_control;
  settings.window.limited = true;
  const PacketRun run = run_packets(ns3_topology(ns3_star(9)), settings, flows);
  EXPECT_EQ(run.totals.pauses, 0u);
  const double swift_ns = (4096 + 82 + 8) * 8 / 100.0, ideal_ns = 8 * 5000 * swift_ns;
  Time first = run.flows[0].end, last = first;
  for (const FlowTimes& flow : run.flows) {
    first = std::min(first, flow.end);
    last = std::max(last, flow.end);
  }
  EXPECT_LT(last.ns(), 1.03 * ideal_ns);
  EXPECT_GT(first.ns(), 0.9 * last.ns());
  EXPECT_EQ(run.totals.drops, 0u);
}

TEST(PacketNetwork, PausesHitAVictimWhoseOwnWayIsFree) {
  const std::string two_switches =
      "8 2 7\n6 7\n0 6 100Gbps 1us 0\n1 6 100Gbps 1us 0\n6 7 100Gbps 1us 0\n2 7 100Gbps 1us 0\n"
      "3 7 100Gbps 1us 0\n4 7 100Gbps 1us 0\n5 7 100Gbps 1us 0\n";
  constexpr std::uint64_t bytes = 10'000'000;
  const PacketRun run = run_ns3(two_switches, no_window + "BUFFER_SIZE 4\n",
                                {packet_flow(0, 2, bytes), packet_flow(1, 3, bytes), packet_flow(4, 2, bytes),
                                 packet_flow(5, 2, bytes)});
  for (std::size_t flow = 0; flow < 4; ++flow) {
    const double gbit_per_s = 8.0 * bytes / static_cast<double>(run.end_ns(flow));
    EXPECT_NEAR(gbit_per_s, 100 / 3.0, 2) << flow;
  }
}

// htsim's packets of 4064 bytes take 325.12 ns on a link of 100 Gbit/s, also the last one of a flow, and its
// acknowledgements 5.12 ns.
TEST(PacketNetwork, HtsimPadsTheLastPacket) {
  for (const std::uint64_t bytes : {4000u, 4001u, 100'000u}) {
    const PacketRun run = run_packets(ns3_topology(ns3_star(2)), htsim_packets(), {packet_flow(0, 1, bytes)});
    const auto packets = static_cast<std::int64_t>((bytes + 3999) / 4000);
    EXPECT_EQ(run.flows[0].acknowledged->ps(),
              2 * (325'120 + 1'000'000) + (packets - 1) * 325'120 + 2 * (5'120 + 1'000'000));
  }
}

TEST(PacketNetwork, HtsimPausesByThePacketsOfAPort) {
  // The link to the receiver is never idle from the first packet to the last one.
  const PacketRun run = run_packets(ns3_topology(ns3_star(8)), htsim_packets(), incast(7, 1'000'000));
  EXPECT_EQ(run.last_ns() * 1000, (7 * 250 * 325'120 + 325'120 + 2'000'000 + 2 * 1'005'120) / 1000 * 1000);
  EXPECT_GT(run.totals.pauses, 0u);
  EXPECT_EQ(run.totals.drops, 0u);
}

TEST(PacketNetwork, ALostTailIsReportedWhereNothingSendsItAgain) {
  // Headroom for 50 ns is less than a packet, so that some are lost.
  std::string text = "4 1 3\n3\n";
  for (int host = 0; host < 3; ++host) text += std::to_string(host) + " 3 100Gbps 50ns 0\n";
  try {
    run_ns3(text, no_window + "BUFFER_SIZE 1 ERROR_RATE_PER_LINK 0.2\n",
            {packet_flow(0, 2, 20'000), packet_flow(1, 2, 20'000)});
    FAIL();
  } catch (const StallError& error) {
    EXPECT_NE(std::string(error.what()).find("never end"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("packets were lost"), std::string::npos) << error.what();
  }
}

TEST(PacketNetwork, NothingIsLostForGoodWhereTimeoutsSendItAgain) {
  for (const double loss : {0.001, 0.01, 0.1}) {
    PacketSettings settings;
    settings.loss = loss;
    const std::vector<Flow> flows = incast(3, 300'000);
    const PacketRun run = run_packets(ns3_topology(ns3_star(4)), settings, flows);
    EXPECT_EQ(run.flows.size(), flows.size());
    for (const FlowTimes& flow : run.flows) EXPECT_GE(*flow.acknowledged, flow.end);
    EXPECT_GT(run.totals.data, 3 * (300'000 / settings.sizes.payload));
  }
}

// A fat tree of 16 hosts, of which links lose packets and break while buffers are small.
TEST(PacketNetwork, WhateverBreaksEverythingArrivesAndNothingIsLeft) {
  Topology tree =
      read_graph_network(parse_yaml("build: fat-tree\nlink: { bandwidth: 12.5 GB/s, latency: 1 us }\n"
                                    "levels: [ { size: 4 }, { size: 4 } ]\n",
                                    "tree"));
  tree.link_changes = std::make_shared<LinkChanges>(
      read_failure_file("- { link: leaf0-spine0, cables: 1, at: 20 us, until: 900 us }\n"
                        "- { node: spine1, at: 100 us, until: 2 ms }\n",
                        "failures", *tree.graph));
  Random random(1);
  std::vector<Flow> flows(100);
  for (Flow& flow : flows) {
    flow = packet_flow(random.between(0, 15), 0, static_cast<std::uint64_t>(random.between(1, 500'000)),
                       Time::from_ns(random.between(0, 300'000)));
    flow.destination = (flow.source + random.between(1, 15)) % 16;
    flow.priority = random.between(1, 7);
  }
  for (const char* map :
       {"{ loss: 0.001 }", "{ loss: 0.02, window: none, buffer: 600 KiB }",
        "{ flow-control: none, window: none, buffer: 300 KiB }", "{ congestion-control: dcqcn, loss: 0.001 }",
        "{ congestion-control: hpcc, loss: 0.01 }", "{ congestion-control: dctcp }",
        "{ congestion-control: timely }"}) {
    const PacketRun run = run_packets(tree, read_packets(parse_yaml(map, "packets")), flows);
    ASSERT_EQ(run.flows.size(), flows.size()) << map;
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      ASSERT_TRUE(run.flows[flow].acknowledged) << map;
      EXPECT_LE(run.flows[flow].end, *run.flows[flow].acknowledged) << map;
      EXPECT_LT(flows[flow].start, run.flows[flow].end) << map;
    }
  }
}

TEST(PacketNetwork, MessagesOfAChannelFollowOneAnother) {
  std::vector<Flow> flows{packet_flow(0, 1, 400'000), packet_flow(0, 1, 400'000)};
  for (Flow& flow : flows) flow.channel = 0;
  const PacketRun in_line = run_packets(ns3_topology(ns3_star(2)), {}, flows);
  for (Flow& flow : flows) flow.channel.reset();
  const PacketRun by_turns = run_packets(ns3_topology(ns3_star(2)), {}, flows);
  EXPECT_NEAR(in_line.flows[0].end.ns() / in_line.flows[1].end.ns(), 0.5, 0.05);
  EXPECT_NEAR(by_turns.flows[0].end.ns() / by_turns.flows[1].end.ns(), 1, 0.05);
}

TEST(PacketNetwork, RunsInSeveralThreadsAreEqualThread) {
  PacketSettings settings;
  settings.loss = 0.01;
  const Topology topology = ns3_topology(ns3_star(8));
  std::vector<PacketRun> runs(4);
  std::vector<std::thread> threads;
  for (PacketRun& run : runs)
    threads.emplace_back([&] { run = run_packets(topology, settings, incast(7, 200'000)); });
  for (std::thread& thread : threads) thread.join();
  for (const PacketRun& run : runs)
    for (std::size_t flow = 0; flow < 7; ++flow) {
      EXPECT_EQ(run.flows[flow].end, runs[0].flows[flow].end);
      EXPECT_EQ(run.flows[flow].acknowledged, runs[0].flows[flow].acknowledged);
    }
}

}  // namespace
}  // namespace orrery::core::test::packet_network_test
