// Tests what is reported about flows, links and switches where packets are simulated.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "report/network/flow_report.hpp"
#include "support/packet_runs.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::packet_reports_test {
namespace {

PacketSettings settings_of(const std::string& map) {
  return read_packet_file(map, "packets.yaml");
}

// Hosts 0 and 1 at the ends of a chain of switches, with random links.
Topology random_chain(Random& random) {
  const auto switches = static_cast<int>(1 + random.next() % 4);
  std::string text = fmt::format("{} {} {}\n", switches + 2, switches, switches + 1);
  for (int i = 0; i < switches; ++i) text += fmt::format("{} ", i + 2);
  text += '\n';
  constexpr int rates[] = {10, 25, 40, 100, 400};
  for (int i = 0; i <= switches; ++i)
    text += fmt::format("{} {} {}Gbps {}ns 0\n", i == 0 ? 0 : i + 1, i == switches ? 1 : i + 2,
                        rates[random.next() % 5], 1 + random.next() % 3000);
  return ns3_topology(text);
}

// The closed form is what a flow takes whose window never holds it up, whatever the links and the last
// packet.
TEST(Slowdown, IsOneOfAFlowThatIsAlone) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const Topology chain = random_chain(random);
    PacketSettings settings = settings_of("{ window: none, buffer: 1 GiB }");
    settings.sizes.payload = static_cast<std::uint32_t>(64 + random.next() % 5000);
    settings.sizes.padded = i % 5 == 0;
    settings.ends_when_acknowledged = i % 3 == 0;
    settings.whole_nanoseconds = i % 2 == 0;
    const std::uint64_t bytes = 1 + random.next() % 40'000;
    const PacketRun run = run_packets(chain, settings, {packet_flow(0, 1, bytes)});
    const Time took = run.flows[0].end - run.flows[0].start, alone = *run.flows[0].facts.alone;
    if (settings
            .ends_when_acknowledged) {  // a short last packet's acknowledgement may wait for the one before
      EXPECT_GE(took, alone) << i;
      EXPECT_LE(took, alone + Time::from_ns(68)) << i;  // which takes so long on the slowest link
    } else {
      EXPECT_EQ(took, alone) << i;
    }
    EXPECT_EQ(run.flows[0].facts.resent, Bytes(0)) << i;
  }
}

// Where packets take several links, no flow is faster than the closed form says.
TEST(Slowdown, IsNeverBelowOneWherePacketsChooseLinks) {
  Topology leaves = ns3_topology(
      "8 4 12\n4 5 6 7\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n"
      "4 6 50Gbps 1us 0\n4 7 50Gbps 2us 0\n5 6 50Gbps 1us 0\n5 7 50Gbps 2us 0\n"
      "4 6 40Gbps 1us 0\n4 7 40Gbps 1us 0\n5 6 40Gbps 1us 0\n5 7 40Gbps 1us 0\n");
  leaves.routing = &packet_spray_routing;
  for (const std::uint64_t bytes : {1u, 4096u, 4097u, 10'000u, 1'000'000u}) {
    const PacketRun run = run_packets(leaves, settings_of("{ window: none }"), {packet_flow(0, 2, bytes)});
    EXPECT_GE(run.flows[0].end, *run.flows[0].facts.alone) << bytes;
    EXPECT_LE(run.flows[0].end.ns(), 1.3 * run.flows[0].facts.alone->ns()) << bytes;
  }
}

// Seven flows that share the last link have a seventh of it each, and the first link of each has all of it.
TEST(Slowdown, OfAnIncastIsTheNumberOfSenders) {
  std::vector<Flow> flows;
  for (int sender = 0; sender < 7; ++sender) flows.push_back(packet_flow(sender, 7, 4'096'000));
  const PacketRun run = run_packets(ns3_topology(ns3_star(8)), settings_of("{}"), flows);
  for (const FlowTimes& flow : run.flows)
    EXPECT_NEAR((flow.end - flow.start).ns() / flow.facts.alone->ns(), 7, 0.05);
}

// Links and flows count what is sent again independently of each other.
TEST(PacketReports, FlowsKnowWhatIsSentAgain) {
  for (const char* kind : {"go-back-n", "selective-repeat", "duplicate-acks"}) {
    const PacketRun run = run_packets(ns3_topology(ns3_star(3)),
                                      settings_of(fmt::format("{{ loss: 0.01, reliability: {} }}", kind)),
                                      {packet_flow(0, 2, 4'096'000), packet_flow(1, 2, 2'048'000)});
    Bytes resent;
    for (const FlowTimes& flow : run.flows) resent += *flow.facts.resent;
    EXPECT_EQ(resent, Bytes(run.totals.resent_bytes)) << kind;
    for (int sender : {0, 1}) {
      const LinkUse& link = run.link(fmt::format("npu{}", sender), "switch3");
      EXPECT_EQ(link.of_packets->resent, *run.flows[static_cast<std::size_t>(sender)].facts.resent) << kind;
    }
    ASSERT_EQ(run.switches.size(), 1u);
    const std::uint64_t lost_by_hosts = run.link("npu0", "switch3").of_packets->drops +
                                        run.link("npu1", "switch3").of_packets->drops +
                                        run.link("npu2", "switch3").of_packets->drops;
    EXPECT_EQ(run.switches[0].drops + lost_by_hosts, run.totals.drops) << kind;
  }
}

// A NIC that stops its switch once stops it for 10 us, as pause and resume are under way for equally long.
TEST(PacketReports, LinksKnowForHowLongTheyPause) {
  PacketSettings settings = ns3_packets();
  settings.nic_pauses.times = 1;
  const PacketRun run = run_packets(ns3_topology(ns3_star(2)), settings, {packet_flow(0, 1, 1'000'000)});
  const PacketLinkUse& to_it = *run.link("switch2", "npu1").of_packets;
  EXPECT_EQ(to_it.pauses, 1u);
  EXPECT_EQ(to_it.paused, Time::from_ns(10'000));
  EXPECT_EQ(to_it.credit_waits, 0u);
  EXPECT_EQ(run.link("npu0", "switch2").of_packets->pauses, 0u);
  EXPECT_EQ(run.link("npu0", "switch2").of_packets->paused, Time());
}

// One of three NICs is named. It stops its switch as often, for as long and as far apart as it is said to.
TEST(PacketReports, NicsPauseAsTheyAreSaidTo) {
  const PacketRun run = run_packets(
      ns3_topology(ns3_star(3)),
      settings_of("{ profile: ns-3, nic-pauses: { npus: [2], times: 3, length: 20 us, gap: 30 us } }"),
      {packet_flow(0, 1, 2'000'000), packet_flow(1, 2, 2'000'000)});
  const PacketLinkUse& to_it = *run.link("switch3", "npu2").of_packets;
  EXPECT_EQ(to_it.pauses, 3u);
  EXPECT_EQ(to_it.paused, Time::from_ns(60'000));
  EXPECT_EQ(run.link("switch3", "npu1").of_packets->pauses, 0u);
  EXPECT_NEAR(static_cast<double>(run.acknowledged_ns(1) - run.acknowledged_ns(0)), 60'000, 5'000);
}

// Two packets of 1036 bytes come at once, and one of them waits for 83 ns.
TEST(PacketReports, QueuesAreAveragedOverTheRun) {
  const PacketRun run = run_packets(ns3_topology(ns3_star(3)), ns3_packets(),
                                    {packet_flow(0, 2, 1000), packet_flow(1, 2, 1000)});
  const double area = run.link("switch3", "npu2").of_packets->mean_queue * static_cast<double>(run.last_ns());
  EXPECT_NEAR(area, 1036 * 83, 1036 * 2.1);  // times count in units of 1.024 ns
  EXPECT_EQ(run.link("npu0", "switch3").of_packets->mean_queue, 0);
}

// The bytes that wait on average are fewer than those that wait at most, and not many fewer where eight hosts
// send to one at once.
TEST(PacketReports, AnAverageIsNeverAboveTheLongestQueue) {
  for (const char* map : {"{ profile: ns-3 }", "{ window: none }", "{ flow-control: trimming }"}) {
    std::vector<Flow> flows;
    for (int sender = 0; sender < 8; ++sender) flows.push_back(packet_flow(sender, 8, 400'000));
    const PacketRun run = run_packets(ns3_topology(ns3_star(9)), settings_of(map), flows);
    const PacketLinkUse& last = *run.link("switch9", "npu8").of_packets;
    EXPECT_GT(last.mean_queue, 0.2 * static_cast<double>(last.longest_queue.count())) << map;
    EXPECT_LT(last.mean_queue, static_cast<double>(last.longest_queue.count())) << map;
  }
}

// A link whose lane has room for one packet waits for credits behind each, for all but the time that it
// sends.
TEST(PacketReports, WaitsForCreditsAreNoPauses) {
  const PacketRun run =
      run_packets(ns3_topology(ns3_star(2)),
                  settings_of("{ profile: infiniband, payload: 4096, credits: { buffer: 4160 B } }"),
                  {packet_flow(0, 1, 40'960)});
  const LinkUse& first = run.link("npu0", "switch2");
  EXPECT_EQ(first.of_packets->pauses, 0u);
  EXPECT_EQ(first.of_packets->paused, Time());
  EXPECT_EQ(first.of_packets->credit_waits, 10u);  // behind each packet of full size
  // The credit of a packet comes back after both latencies, and the message with it; the switch sends the
  // next one when the host has told it, so nobody waits for less.
  EXPECT_GE(first.of_packets->credit_waiting, Time::from_ns(20'000));
  EXPECT_LE(first.of_packets->credit_waiting + first.busy,
            run.flows[0].acknowledged.value() + Time::from_ns(4000));
}

// Two hosts send at the rate of the link that both need, so half of what they send waits in the switch when
// they have sent all.
TEST(PacketReports, SwitchesKnowTheirPeak) {
  constexpr std::uint64_t packets = 1000, packet = 4096 + 82;
  const PacketRun run = run_packets(ns3_topology(ns3_star(3)), settings_of("{ window: none, buffer: 1 GiB }"),
                                    {packet_flow(0, 2, packets * 4096), packet_flow(1, 2, packets * 4096)});
  ASSERT_EQ(run.switches.size(), 1u);
  EXPECT_EQ(run.switches[0].name, "switch3");
  EXPECT_EQ(run.switches[0].buffer, Bytes(1 << 30));
  EXPECT_GE(run.switches[0].peak, Bytes((packets - 1) * packet));
  EXPECT_LE(run.switches[0].peak, Bytes((packets + 3) * packet));
  EXPECT_EQ(run.switches[0].pauses, 0u);
}

TEST(PacketReports, SwitchesCountPausesThatTheyAskFor) {
  std::vector<Flow> flows;
  for (int sender = 0; sender < 7; ++sender) flows.push_back(packet_flow(sender, 7, 4'096'000));
  const PacketRun run =
      run_packets(ns3_topology(ns3_star(8)), settings_of("{ window: none, buffer: 4 MiB }"), flows);
  EXPECT_GT(run.totals.pauses, 0u);
  EXPECT_EQ(run.switches[0].pauses, run.totals.pauses);
  std::uint64_t obeyed = 0;
  for (const LinkUse& link : run.links) obeyed += link.of_packets->pauses;
  EXPECT_EQ(obeyed, run.totals.pauses);
}

// The JSON form has what the tables have.
TEST(PacketReports, FlowsAreThereAsJson) {
  const Topology star = ns3_topology(ns3_star(3));
  const std::vector<Flow> flows{packet_flow(0, 2, 40'960), packet_flow(1, 2, 40'960)};
  const FlowsResult run = run_flows(flows, star, {.model = &packet_model});
  const nlohmann::json json = nlohmann::json::parse(flows_json(flows, run, star));
  ASSERT_EQ(json["flows"].size(), 2u);
  EXPECT_EQ(json["flows"][1]["end_us"], run.flows[1].end.us());
  EXPECT_GE(json["flows"][1]["slowdown"].get<double>(), 1);
  EXPECT_EQ(json["links"].size(), run.links.size());
  EXPECT_EQ(json["links"][0]["packets"], run.links[0].of_packets->packets);
  EXPECT_EQ(json["switches"][0]["switch"], "switch3");
  const FlowsResult fluid = run_flows(flows, star, {.model = &fluid_model});
  const nlohmann::json of_fluid = nlohmann::json::parse(flows_json(flows, fluid, star));
  EXPECT_FALSE(of_fluid.contains("switches"));
  EXPECT_FALSE(of_fluid["flows"][0].contains("slowdown"));
}

// Seven senders, an idle time of 50 ms, and then one more.
FlowsResult incast_and_rest(const PacketSettings& settings, bool keeps_history) {
  std::vector<Flow> flows;
  for (int sender = 0; sender < 7; ++sender) flows.push_back(packet_flow(sender, 7, 409'600));
  flows.push_back(packet_flow(3, 2, 4096, Time::from_ns(50'000'000)));
  const Topology star = ns3_topology(ns3_star(8));
  return run_flows(flows, star,
                   {.model = &packet_model,
                    .packets = std::make_shared<const PacketSettings>(settings),
                    .link_history = keeps_history});
}

// The counts of all intervals add up to what is counted without them, and the run does not change.
TEST(PacketHistory, AddsUp) {
  const std::string marks = "marks: { rate: 100 Gbit/s, least: 20 KB, most: 80 KB }";
  for (const std::string more : {"", ", flow-control: none, queue: 100 KB", ", profile: infiniband"}) {
    const PacketSettings settings = settings_of("{ " + marks + more + " }");
    const FlowsResult run = incast_and_rest(settings, true), plain = incast_and_rest(settings, false);
    for (std::size_t i = 0; i < run.flows.size(); ++i)
      EXPECT_EQ(run.flows[i].end, plain.flows[i].end) << more;
    ASSERT_EQ(run.links.size(), run.link_history.links.size());
    ASSERT_EQ(run.links.size(), plain.links.size());
    const double interval = run.link_history.interval.ns();
    for (std::size_t i = 0; i < run.links.size(); ++i) {
      const LinkUse& link = run.links[i];
      const LinkSeries& series = run.link_history.links[i];
      EXPECT_EQ(link.from + link.to, series.from + series.to);
      EXPECT_EQ(link.of_packets->longest_queue, plain.links[i].of_packets->longest_queue);
      EXPECT_GT(series.packets.size(), 64u);
      EXPECT_LE(series.packets.size(), 128u);
      PacketInterval all;
      for (const PacketInterval& of : series.packets) {
        EXPECT_LE(static_cast<double>(of.bytes), interval * series.bytes_per_ns + 1);
        all += of;
      }
      EXPECT_EQ(Bytes(all.bytes), link.load.bytes) << more << link.from << link.to;
      EXPECT_EQ(Bytes(all.longest_queue), link.of_packets->longest_queue) << more;
      EXPECT_EQ(all.drops, link.of_packets->drops) << more;
      EXPECT_EQ(all.marks, link.of_packets->marks) << more;
    }
    ASSERT_EQ(run.link_history.switches.size(), 1u);
    HeldInInterval most;
    for (const HeldInInterval& of : run.link_history.switches[0].held) most += of;
    EXPECT_EQ(Bytes(most.peak), run.switches[0].peak) << more;
    EXPECT_EQ(run.switches[0].peak, plain.switches[0].peak) << more;
  }
}

// While nothing is sent for 50 ms, links carry nothing and the switch holds nothing.
TEST(PacketHistory, KnowsWhenNothingHappens) {
  const FlowsResult run = incast_and_rest(settings_of("{}"), true);
  const double interval = run.link_history.interval.us();
  for (const LinkSeries& link : run.link_history.links)
    for (std::size_t i = 0; i < link.packets.size(); ++i)
      if (static_cast<double>(i) * interval > 300 && static_cast<double>(i + 1) * interval < 50'000) {
        EXPECT_EQ(link.packets[i].bytes, 0u) << i;
        EXPECT_EQ(run.link_history.switches[0].held[i].peak, 0u) << i;
      }
}

}  // namespace
}  // namespace orrery::core::test::packet_reports_test
