// TCP over networks that lose packets, against closed forms.
#include <gtest/gtest.h>

#include "network/packet/model/packet_keys.hpp"
#include "support/packet_runs.hpp"

namespace orrery::core::test::packet_tcp_test {
namespace {

constexpr std::uint64_t payload = 1460;
constexpr double frame = 1538, ack = 84;  // bytes

PacketSettings tcp(const std::string& keys = "") {
  return read_packets(
      parse_yaml("{ profile: tcp, congestion-control: tcp-new-reno" + keys + " }", "packets"));
}

// Hosts behind one switch, the last one by a link of another rate.
std::string star(int hosts, const std::string& rate, const std::string& last_rate, const std::string& delay) {
  std::string text =
      std::to_string(hosts + 1) + " 1 " + std::to_string(hosts) + "\n" + std::to_string(hosts) + "\n";
  for (int host = 0; host < hosts; ++host)
    text += std::to_string(host) + " " + std::to_string(hosts) + " " + (host + 1 < hosts ? rate : last_rate) +
            "bps " + delay + " 0\n";
  return text;
}

// Windows of 10, 20 and 40 packets, a round trip after one another, in which nothing waits.
TEST(PacketTcp, SlowStartTakesARoundTripPerWindow) {
  const Topology network = ns3_topology(star(2, "100G", "100G", "10us"));
  const double t = frame * 8 / 100, a = ack * 8 / 100, d = 10'000, round_trip = 2 * (t + d) + 2 * (a + d);
  for (const char* control : {"tcp-new-reno", "tcp-cubic", "tcp-dctcp"}) {
    PacketSettings settings = tcp();
    settings.congestion =
        read_packets(parse_yaml(std::string("congestion-control: ") + control, "packets")).congestion;
    const PacketRun run = run_packets(network, settings, {packet_flow(0, 1, 70 * payload)});
    EXPECT_NEAR(run.flows[0].end.ns(), 2 * round_trip + 39 * t + 2 * (t + d), 0.1) << control;
  }
}

// A flow alone at a bottleneck, of which a round trip holds P packets and the queue B. With B = P the queue
// lasts while the sender waits after a loss; with next to no queue the window goes from P / 2 to P, so that
// three quarters are used.
TEST(PacketTcp, OneNewRenoFlowNeedsAQueueOfARoundTripSlow) {
  const Topology network = ns3_topology(star(2, "100G", "10G", "20us"));
  const double p = 80'000 * 10.0 / 8 / frame;
  constexpr std::uint64_t packets = 200'000;
  const auto use = [&](double queue) {
    PacketSettings settings = tcp();
    settings.buffer.queue = static_cast<std::uint64_t>(queue * frame);
    const PacketRun run = run_packets(network, settings, {packet_flow(0, 1, packets * payload)});
    EXPECT_GT(run.totals.drops, 10u);
    return packets * frame * 8 / 10 / run.flows[0].end.ns();
  };
  EXPECT_GT(use(1.2 * p), 0.97);
  const double little = use(2);
  EXPECT_GT(little, 0.65);
  EXPECT_LT(little, 0.85);
}

// Two flows under DCTCP keep the link busy with a queue of about the threshold K, and its maximum is K + n
// (Alizadeh et al., SIGCOMM 2010, section 3.3), when K is more than a seventh of what a round trip holds.
TEST(PacketTcp, DctcpKeepsTheQueueAtItsThreshold) {
  constexpr double k = 20;
  constexpr int n = 2;
  PacketSettings settings =
      tcp(", marks: { rate: 10 Gbit/s, least: 30760 B, most: 30760 B, probability: 1 }");
  settings.congestion = read_packets(parse_yaml("congestion-control: tcp-dctcp", "packets")).congestion;
  constexpr std::uint64_t packets = 20'000;
  const Topology network = ns3_topology(star(n + 1, "10G", "10G", "20us"));
  const PacketRun run = run_packets(
      network, settings, {packet_flow(0, 2, packets * payload), packet_flow(1, 2, packets * payload)},
      {Time::from_ns(5'000'000), [](PacketNetwork& it, Time now) {
         if (now > Time::from_ns(5'000'000)) return;
         for (const LinkId link : first_ids<LinkId>(it.links().ports().size()))
           it.links().port(link).longest_queue = {};
       }});
  EXPECT_GT(run.totals.marks, 100u);
  EXPECT_EQ(run.totals.drops, 0u);
  EXPECT_LE(static_cast<double>(run.longest_queue), (k + n + 2) * frame);
  EXPECT_GE(static_cast<double>(run.longest_queue), k * frame);
  double last = 0;
  for (const FlowTimes& flow : run.flows) last = std::max(last, flow.end.ns());
  EXPECT_LT(last, 1.02 * n * packets * frame * 8 / 10);
}

// Each of n senders sends a window of w packets at once. Packets that do not leave while they arrive have to
// find room in the queue: n w - w packets, and one that comes in the instant in which another leaves. With
// less room the tails of some windows are lost, and these flows wait for a timeout, which is a hundred times
// as long.
TEST(PacketTcp, AnIncastThatDoesNotFitWaitsForATimeout) {
  constexpr int n = 8, w = 10;
  const double t = frame * 8 / 100;
  std::vector<Flow> flows;
  for (int sender = 0; sender < n; ++sender) flows.push_back(packet_flow(sender, n, w * payload));
  const auto run_with = [&](int room) {
    PacketSettings settings = tcp();
    settings.buffer.queue = static_cast<std::uint64_t>(room) * 1538;
    return run_packets(ns3_topology(star(n + 1, "100G", "100G", "1us")), settings, flows);
  };
  const auto last_ns = [](const PacketRun& run) {
    double last = 0;
    for (const FlowTimes& flow : run.flows) last = std::max(last, flow.end.ns());
    return last;
  };
  const PacketRun fits = run_with(n * w - w + 1), too_small = run_with(n * w - w - 2);
  EXPECT_EQ(fits.totals.drops, 0u);
  EXPECT_NEAR(last_ns(fits), (n * w + 1) * t + 2000, 1);
  EXPECT_GT(too_small.totals.drops, 0u);
  EXPECT_GT(last_ns(too_small), 1e6);
}

// Without selective acknowledgements, one loss in a window is made up for in a round trip, so it takes less
// than a timeout more than without the loss. Several losses in a window take a round trip each (RFC 6582).
TEST(PacketTcp, LossesAreMadeGoodWithoutATimeout) {
  const Topology network = ns3_topology(star(2, "100G", "10G", "5us"));
  for (const char* kind : {"selective-repeat", "duplicate-acks"}) {
    PacketSettings settings = tcp(std::string(", timeout: 1 s, reliability: ") + kind);
    settings.buffer.queue = 40 * 1538;
    constexpr std::uint64_t packets = 20'000;
    const PacketRun run = run_packets(network, settings, {packet_flow(0, 1, packets * payload)});
    EXPECT_GT(run.totals.drops, 5u) << kind;
    EXPECT_LT(run.flows[0].end.ns(), 1.3 * packets * frame * 8 / 10) << kind;
  }
}

// Flows that htsim's TCP and DCTCP (csg-htsim, with its NewReno, segments without headers, timeouts of 250 ms
// and a host's link of 10 Gbit/s and 5 us) ends at these times: a second flow that pushes the first one into
// a timeout, an incast that fits after some losses, and one under DCTCP.
TEST(PacketTcp, EndsFlowsWhenHtsimDoes) {
  struct Case {
    const char* control;
    int senders;
    std::uint64_t bytes;
    double second_start_us;
    int queue;  // packets
    const char* marks;
    double last_us;
  };
  const Case cases[] = {
      {"tcp-new-reno", 1, 5'000'000, 0, 1000, "", 4052.6},
      {"tcp-new-reno", 2, 5'000'000, 1000, 50, "", 255'031.3},
      {"tcp-new-reno", 8, 1'000'000, 0, 100, "", 6479.5},
      {"tcp-new-reno", 16, 1'000'000, 0, 400, "", 12'869.0},
      {"tcp-dctcp", 4, 3'000'000, 0, 1000, "least: 30 KB, most: 30 KB", 9673.2},
      {"tcp-dctcp", 16, 3'000'000, 0, 1000, "least: 30 KB, most: 30 KB", 38'478.5},
      {"tcp-dctcp", 8, 3'000'000, 0, 1000, "least: 97500 B, most: 97500 B", 19'262.6},
  };
  for (const Case& it : cases) {
    std::string map =
        "{ profile: tcp, header: 0, payload: 1500, acknowledgement: 40, buffer: 64 MiB, timeout: 250 ms, "
        "reliability: duplicate-acks, queue: " +
        std::to_string(it.queue * 1500) + " B, congestion-control: " + it.control;
    if (*it.marks) map += std::string(", marks: { rate: 10 Gbit/s, probability: 1, ") + it.marks + " }";
    std::vector<Flow> flows;
    for (int sender = 0; sender < it.senders; ++sender)
      flows.push_back(
          packet_flow(sender, it.senders, it.bytes + 1500,  // it sends a segment more
                      Time::from_ns(sender == 1 ? static_cast<std::int64_t>(it.second_start_us * 1000) : 0)));
    const PacketRun run = run_packets(ns3_topology(star(it.senders + 1, "10G", "10G", "5us")),
                                      read_packets(parse_yaml(map + " }", "packets")), flows);
    EXPECT_NEAR(static_cast<double>(run.last_ns()) / 1000 / it.last_us, 1, 0.01) << it.control << it.senders;
  }
}

// Flows that share a bottleneck of large buffers end within some per cent of one another under each control.
TEST(PacketTcp, FlowsShareALinkFairlySlow) {
  for (const char* control : {"tcp-new-reno", "tcp-cubic", "tcp-dctcp"}) {
    PacketSettings settings = tcp(", queue: 200 KiB");
    settings.congestion =
        read_packets(parse_yaml(std::string("congestion-control: ") + control, "packets")).congestion;
    std::vector<Flow> flows;
    for (int sender = 0; sender < 4; ++sender) flows.push_back(packet_flow(sender, 4, 40'000 * payload));
    const PacketRun run = run_packets(ns3_topology(star(5, "10G", "10G", "5us")), settings, flows);
    double first = 1e30, last = 0;
    for (const FlowTimes& flow : run.flows) {
      first = std::min(first, flow.end.ns());
      last = std::max(last, flow.end.ns());
    }
    EXPECT_LT(last, 1.05 * 4 * 40'000 * frame * 8 / 10) << control;
    EXPECT_GT(first, 0.75 * last) << control;
  }
}

}  // namespace
}  // namespace orrery::core::test::packet_tcp_test
