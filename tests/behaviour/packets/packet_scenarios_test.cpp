// Known answers for windows, chains of flows and congestion controls over networks of packets. Links have 100
// Gbit/s.
#include <gtest/gtest.h>

#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "support/packet_runs.hpp"

namespace orrery::core::test::packet_scenarios_test {
namespace {

PacketSettings settings_of(const std::string& map) {
  return read_packets(parse_yaml(map, "packets"));
}

constexpr double packet_ns = (4096 + 82) * 8 / 100.0, ack_ns = 84 * 8 / 100.0;

// A window of W bytes lets ceil(W / 4096) packets be under way, as the test comes before a packet is sent.
TEST(PacketScenarios, AWindowBoundsWhatIsSentInARoundTrip) {
  constexpr double delay = 10'000, round_trip = 2 * (packet_ns + delay) + 2 * (ack_ns + delay);
  std::string far = "3 1 2\n2\n0 2 100Gbps 10us 0\n1 2 100Gbps 10us 0\n";
  for (const int packets : {1, 3, 10, 40}) {
    constexpr int rounds = 20;
    const PacketRun run =
        run_packets(ns3_topology(far), settings_of("window: " + std::to_string(4096 * packets - 1000) + " B"),
                    {packet_flow(0, 1, 4096ull * static_cast<std::uint64_t>(packets * rounds))});
    const double there = (packets - 1) * packet_ns + 2 * (packet_ns + delay);
    EXPECT_NEAR(run.flows[0].end.ns(), (rounds - 1) * round_trip + there, 1) << packets;
  }
}

// A ring all-reduce: 2 (N - 1) steps, in each of which every host sends a part to the next one when the part
// of the step before has come.
TEST(PacketScenarios, ARingAllReduceTakesItsSteps) {
  constexpr int hosts = 8, steps = 2 * (hosts - 1), packets = 100;
  std::vector<Flow> flows;
  for (int step = 0; step < steps; ++step)
    for (int host = 0; host < hosts; ++host) {
      flows.push_back(packet_flow(host, (host + 1) % hosts, 4096 * packets));
      if (step > 0)
        flows.back().after = {static_cast<std::uint32_t>((step - 1) * hosts + (host + hosts - 1) % hosts)};
    }
  PacketSettings settings;
  settings.window.limited = false;
  settings.sizes.ack_header = settings.sizes.min_ack = 1;  // so that they take next to no time
  const double one_way = (packets + 1) * packet_ns + 2000, back = 2 * (0.08 + 1000);
  const double by_receiver =
      run_packets(ns3_topology(ns3_star(hosts)), settings, flows).flows.back().end.ns();
  EXPECT_NEAR(by_receiver / (steps * one_way), 1, 0.001);
  settings.ends_when_acknowledged = true;
  const double by_sender = run_packets(ns3_topology(ns3_star(hosts)), settings, flows).flows.back().end.ns();
  EXPECT_NEAR(by_sender / (steps * (one_way + back)), 1, 0.001);
}

// Everything that is sent passes every link of its way, and nothing stays behind.
TEST(PacketScenarios, LinksCarryWhatIsSent) {
  std::vector<Flow> flows;
  for (int host = 0; host < 8; ++host) flows.push_back(packet_flow(host, (3 * host + 1) % 8, 4096 * 200));
  std::erase_if(flows, [](const Flow& flow) { return flow.source == flow.destination; });
  for (const char* map : {"{}", "{ reliability: selective-repeat, buffer: 400 KiB, window: none }"}) {
    const PacketRun run = run_packets(ns3_topology(ns3_star(8)), settings_of(map), flows);
    const std::uint64_t packets = flows.size() * 200;
    EXPECT_EQ(run.totals.data, packets);
    EXPECT_EQ(run.totals.acks, packets);
    EXPECT_EQ(run.left, 0u);
    std::uint64_t bytes = 0;
    for (const LinkUse& link : run.links) bytes += link.load.bytes.count();
    EXPECT_EQ(bytes, 2 * packets * (4096 + 82 + 84) + run.totals.pauses * 84 * 2);
  }
}

// Swift without scaling by flows: four flows leave as much in the queue as the target allows beyond an empty
// network's round trip, a quarter of that.
TEST(PacketScenarios, SwiftHasAQueueOfItsTarget) {
  PacketSettings settings;
  settings.congestion.kind = &swift_control;
  settings.congestion.swift.scaling_range = 0;
  std::string far = "5 1 4\n4\n";
  std::vector<Flow> flows;
  for (int host = 0; host < 4; ++host) far += std::to_string(host) + " 4 100Gbps 10us 0\n";
  for (int host = 0; host < 3; ++host) flows.push_back(packet_flow(host, 3, 4096 * 10'000));
  double sum = 0;
  int looks = 0;
  run_packets(ns3_topology(far), settings, flows,
              {Time::from_ns(20'000), [&](PacketNetwork& it, Time now) {
                 if (now < Time::from_ns(2'000'000) || now > Time::from_ns(8'000'000)) return;
                 std::uint64_t waiting = 0;
                 for (const PacketPort& port : it.links().ports())
                   if (!port.is_nic) waiting = std::max(waiting, port.queues.bytes());
                 sum += static_cast<double>(waiting);
                 ++looks;
               }});
  const double base = 2 * (packet_ns + 10'000) + 2 * (ack_ns + 10'000);
  EXPECT_NEAR(sum / looks, 0.25 * base * 100 / 8, 0.25 * 0.25 * base * 100 / 8);
}

// The first flow has a rate of 1 Gbit/s, and all others that of their link.
class SlowFirst final : public CongestionControl {
 public:
  explicit SlowFirst(const CongestionParts&) {}
  void begin(Sender& sender) override {
    if (sender.number == 0) sender.rate = 1'000'000'000;
  }
  void acknowledged(Sender&, const Acknowledgement&, Stamp) override {}
};

// Host 0 sends slowly to host 1, and fills a window to the far host 2. That flow waits for news from afar
// most of the time, and must not keep the NIC from waking for the slow one.
TEST(PacketScenarios, AFlowThatWaitsForItsWindowHoldsBackNoOther) {
  const CongestionKind slow_first{.name = "slow-first", .make = make_control<SlowFirst>};
  const Topology net = ns3_topology("4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 500us 0\n");
  PacketSettings settings;
  settings.window.bytes = 16'384;
  settings.congestion.kind = &slow_first;
  const std::vector<Flow> flows{packet_flow(0, 1, 100 * 4096), packet_flow(0, 2, 1'000'000)};
  const double paced_us = 100 * 4178 * 8 / 1000.0;
  EXPECT_NEAR(run_packets(net, settings, flows).flows[0].end.us(), paced_us, 0.02 * paced_us);
  settings.wakes_for_all_flows = true;
  EXPECT_GT(run_packets(net, settings, flows).flows[0].end.us(), 2 * paced_us);
}

}  // namespace
}  // namespace orrery::core::test::packet_scenarios_test
