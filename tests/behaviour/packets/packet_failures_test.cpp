// Tests what becomes of messages of packets when links break and no way is left for them: NPUs between pass
// on the rest, or the run ends with the error of the model `fluid`.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/changes/failures.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::packet_failures_test {
namespace {

Topology network(const std::string& text) {
  Warnings warnings;
  return read_any_network(text, "network.yaml", warnings);
}

// Each NPU has a link to each other one, and nothing forwards.
Topology mesh(int npus) {
  return network(
      fmt::format("nodes: [ {{ name: g, kind: npu, count: {} }} ]\n"
                  "links: [ {{ from: g, to: g, bandwidth: 25 GB/s, latency: 1 us }} ]\n",
                  npus));
}

PacketSettings settings_of(const std::string& map) {
  return read_packets(parse_yaml(map, "packets"));
}

Topology with_failures(Topology topology, const std::string& failures,
                       std::optional<Relaying> relaying = Relaying::where_cut) {
  LinkChanges changes = read_failure_file(failures, "failures.yaml", *topology.graph);
  changes.relaying = relaying;
  topology.link_changes =
      std::make_shared<const LinkChanges>(with_relays_where_cut(std::move(changes), topology));
  return topology;
}

FlowsResult run(const Topology& topology, const std::vector<Flow>& flows, NetworkModel model = &packet_model,
                const std::string& settings = "{}") {
  NetworkSetup network{.model = model};
  if (model == &packet_model) {
    network.packets = std::make_shared<const PacketSettings>(settings_of(settings));
    network.message_times = true;
  }
  return run_flows(flows, topology, network);
}

std::uint64_t bytes_of(const FlowsResult& result, const std::string& from, const std::string& to) {
  std::uint64_t bytes = 0;
  for (const LinkUse& link : result.links)
    if (link.from == from && link.to == to) bytes += link.load.bytes.count();
  return bytes;
}

// All ways of making sure that packets arrive. Each has something else to forget about a flow that is cut.
constexpr const char* kinds[] = {
    "{}",
    "{ reliability: go-back-n, loss: 0.001 }",
    "{ reliability: selective-repeat, loss: 0.001 }",
    "{ reliability: duplicate-acks, loss: 0.001 }",
    "{ flow-control: credits }",
    "{ flow-control: none, congestion-control: swift }",
    "{ congestion-control: dcqcn, nic-pauses: { npus: [1], times: 3, length: 5 us, gap: 20 us } }",
    "{ profile: ns-3 }",
    "{ profile: infiniband }",
    "{ profile: htsim, congestion-control: ndp, queue: 40 KB }",
    "{ profile: htsim, congestion-control: eqds }",
};

constexpr std::uint64_t size = 16'000'000;

TEST(PacketFailures, AnNpuBetweenPassesOnTheRestOfAMessage) {
  const Topology broken = with_failures(mesh(3), "{ link: g0-g1, at: 100 us }");
  const std::vector<Flow> flows{packet_flow(0, 1, size)};
  const double fluid_us = run(broken, flows, &fluid_model).end.us();
  EXPECT_NEAR(fluid_us, 1184, 2);
  for (const char* kind : kinds) {
    const FlowsResult result = run(broken, flows, &packet_model, kind);
    EXPECT_NEAR(result.end.us() / fluid_us, 1.05, 0.15) << kind;
    EXPECT_FALSE(result.flows[0].facts.alone) << kind;
    // What has not arrived goes over both links, and everything arrives.
    const std::uint64_t direct = bytes_of(result, "g0", "g1"), first = bytes_of(result, "g0", "g2"),
                        second = bytes_of(result, "g2", "g1");
    EXPECT_GE(direct + first, size) << kind;
    EXPECT_GE(direct + second, size) << kind;
    EXPECT_GE(direct, 2'000'000u) << kind;
    // With headers, the packet that is being sent, and transmissions in whole nanoseconds of ns-3.
    EXPECT_LE(direct, 2'530'000u) << kind;
  }
}

// Takes what is left of messages, and pretends to deliver it.
class Taker final : public CutMessages {
 public:
  explicit Taker(EventLoop& loop) : loop_(loop) {}
  bool take(const MessageService& service, int, int, Bytes rest, const Event& delivered) override {
    rests.push_back(rest.count());
    priorities.insert(service.priority);
    loop_.after(1'000'000, delivered);
    return true;
  }

  std::vector<std::uint64_t> rests;
  std::set<std::optional<int>> priorities;

 private:
  EventLoop& loop_;
};

// Every byte is delivered or handed over, exactly once, and nothing of a cut flow stays anywhere.
TEST(PacketFailures, NothingStaysOfAFlowThatIsCut) {
  const Topology broken = with_failures(mesh(3), "{ link: g0-g1, at: 100 us }");
  std::vector<Flow> flows;
  for (int message = 0; message < 40; ++message) {  // most of which have arrived by then
    flows.push_back(packet_flow(0, 1, 100'000));
    flows.back().channel = 7;
    flows.push_back(packet_flow(1, 0, 90'000));
    flows.push_back(packet_flow(0, 2, 50'000));
  }
  for (const Flow& flow : std::vector<Flow>(flows)) flows.push_back(flow);
  for (const char* kind : kinds) {
    EventLoop loop{Clock(Clock::Mode::picoseconds)};
    Taker taker(loop);
    PacketTransport transport(broken, std::make_shared<const PacketSettings>(settings_of(kind)), loop);
    transport.keep_message_times();
    transport.give_cut_messages_to(taker);
    FlowSource source(flows, loop, transport);
    loop.run({}, [&] { return source.left() == 0; });
    source.require_end();
    const Stamp emptied = loop.now() + 10'000'000'000;
    loop.run({}, [&] { return loop.now() >= emptied; });

    ASSERT_FALSE(taker.rests.empty()) << kind;
    EXPECT_EQ(taker.priorities, std::set<std::optional<int>>{std::nullopt}) << kind;
    std::uint64_t bytes = 0, rest = 0, timed = 0;
    for (const Flow& flow : flows) bytes += flow.bytes.count();
    for (const std::uint64_t of_message : taker.rests) rest += of_message;
    for (const MessageClass& of : transport.message_times()) timed += of.messages;
    const PacketNetwork& packets = transport.network();
    EXPECT_EQ(packets.links().totals().delivered_bytes + rest, bytes) << kind;
    EXPECT_EQ(timed + taker.rests.size(), flows.size()) << kind;
    EXPECT_EQ(packets.links().packets().in_use(), 0u) << kind;
    for (const NodeId node : first_ids<NodeId>(3))
      EXPECT_EQ(packets.flow_control().bytes_in(node), 0u) << kind;
  }
}

// Rails of two groups of two boxes, each with four NPUs and as many NICs.
Topology rails() {
  return network(
      "build: rail-optimized\n"
      "inside: { build: nvlink, size: 4, switches: 2, links: 4, link: { bandwidth: 25 GB/s, latency: 100 ns "
      "}, nics: { count: 4, link: { bandwidth: 64 GB/s, latency: 500 ns } } }\n"
      "link: { bandwidth: 50 GB/s, latency: 500 ns }\n"
      "levels: [ { size: 2 }, { size: 2 } ]\n");
}

TEST(PacketFailures, ARailThatBreaksLaterIsLeftToTheOthers) {
  std::vector<Flow> flows{packet_flow(1, 5, size), packet_flow(1, 9, size)};
  for (const char* failure : {"{ node: leaf1, at: 200 us }", "{ node: leaf1, at: 200 us, until: 300 us }",
                              "{ node: nic1, at: 200 us }", "{ link: npu1-nic1, at: 200 us }",
                              "{ link: nic1-leaf1, at: 200 us }"}) {
    const Topology broken = with_failures(rails(), failure, std::nullopt);
    const double fluid_us = run(broken, flows, &fluid_model).end.us(),
                 packets_us = run(broken, flows).end.us();
    EXPECT_NEAR(packets_us / fluid_us, 1.05, 0.15) << failure;
  }
}

// The message that begins when the link works again goes there at once, as do those that begin later.
TEST(PacketFailures, MessagesGoWhereLinksAreWholeWhenTheyBegin) {
  const Topology broken = with_failures(mesh(3), "{ link: g0-g1, at: 100 us, until: 300 us }");
  for (const char* kind : {"{}", "{ profile: ns-3 }", "{ profile: htsim, congestion-control: eqds }"}) {
    const auto time_from = [&](int begin_us) {
      const FlowsResult result =
          run(broken, {packet_flow(0, 1, 250'000, Time::from_ns(1000 * begin_us))}, &packet_model, kind);
      return result.flows[0].end.us() - begin_us;
    };
    const double alone = time_from(0);
    EXPECT_NEAR(alone, 11.5, 1.5) << kind;
    EXPECT_NEAR(time_from(300), alone, 0.01) << kind;
    EXPECT_NEAR(time_from(400), alone, 0.01) << kind;
    for (const int begin_us : {100, 200, 299}) EXPECT_NEAR(time_from(begin_us), 2 * alone, 1) << kind;
  }
}

// Acknowledgements need a way back, so that a link which is broken one way carries no message.
TEST(PacketFailures, ALinkThatIsBrokenOneWayCutsBothOff) {
  for (const char* failure : {"{ link: g0->g1, at: 100 us }", "{ link: g1->g0, at: 100 us }"}) {
    const Topology broken = with_failures(mesh(3), failure);
    const FlowsResult result = run(broken, {packet_flow(0, 1, size), packet_flow(1, 0, size)});
    EXPECT_NEAR(result.end.us(), 1200, 100) << failure;
    EXPECT_LT(bytes_of(result, "g0", "g1"), 3'000'000u) << failure;
    EXPECT_LT(bytes_of(result, "g1", "g0"), 3'000'000u) << failure;
  }
}

std::string error_of(const Topology& topology, const std::vector<Flow>& flows, NetworkModel model,
                     const std::string& settings = "{}") {
  try {
    run(topology, flows, model, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PacketFailures, ThatLeaveNoWayNameTheCutAndTheSender) {
  const std::string failures = "- { link: g2-g1, at: 50 us }\n- { link: g0-g1, at: 100 us }\n";
  const std::vector<Flow> early{packet_flow(0, 1, size)},
      late{packet_flow(0, 1, 1000, Time::from_ns(200'000))};
  for (const Relaying relaying : {Relaying::never, Relaying::where_cut}) {
    const Topology broken = with_failures(mesh(3), failures, relaying);
    for (const char* kind : {"{}", "{ profile: ns-3 }"}) {
      for (const std::vector<Flow>& flows : {early, late})
        EXPECT_EQ(error_of(broken, flows, &packet_model, kind), error_of(broken, flows, &fluid_model))
            << kind;
      EXPECT_EQ(error_of(broken, early, &packet_model, kind),
                "failures.yaml:2:3: error: at 100 us no way leads from g0 to g1, cut off at g0->g1: g0 has "
                "16000000 bytes to send there since 0 us; leave something whole")
          << kind;
    }
  }
}

TEST(PacketFailures, ThatLeaveNoWayForAcknowledgementsSaySo) {
  const Topology broken = with_failures(mesh(2), "{ link: g1->g0, at: 100 us }", Relaying::never);
  EXPECT_EQ(error_of(broken, {packet_flow(0, 1, size)}, &packet_model),
            "failures.yaml:1:1: error: at 100 us no way leads back from g1 to g0, cut off at g1->g0: g0 has "
            "16000000 bytes to send there since 0 us, and needs acknowledgements; leave something whole");
}

// Whatever breaks and comes back in a mesh, as long as NPUs between can pass messages on, all arrive.
TEST(PacketFailures, EverythingArrivesWhateverBreaks) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    std::string failures;
    for (int other = 1; other < 5; ++other)  // the links of g0 to g3 break, and g4 has all of its links
      for (int npu = 0; npu < std::min(other, 4); ++npu) {
        if (other == 4 || !random.chance(60)) continue;
        const int at = random.between(0, 60);
        failures += fmt::format(
            "- {{ link: g{}{}g{}, at: {} us{} }}\n", npu, random.chance(30) ? "->" : "-", other, at,
            random.chance(50) ? "" : fmt::format(", until: {} us", at + random.between(1, 60)));
      }
    if (failures.empty()) continue;
    const Topology broken = with_failures(mesh(5), failures);
    std::vector<Flow> flows;
    for (int flow = 0; flow < 30; ++flow) {
      const int source = random.between(0, 4);
      flows.push_back(packet_flow(source, (source + random.between(1, 4)) % 5,
                                  static_cast<std::uint64_t>(random.between(1, 400'000)),
                                  Time::from_ns(1000 * random.between(0, 80))));
      if (random.chance(50)) flows.back().channel = 1;
    }
    const char* kind =
        kinds[static_cast<std::size_t>(random.between(0, static_cast<int>(std::size(kinds)) - 1))];
    const FlowsResult result = run(broken, flows, &packet_model, kind);
    for (const FlowTimes& flow : result.flows) EXPECT_LE(flow.end, *flow.acknowledged) << kind << failures;
    const FlowsResult again = run(broken, flows, &packet_model, kind);
    EXPECT_EQ(result.end, again.end) << kind << failures;
  }
}

}  // namespace
}  // namespace orrery::core::test::packet_failures_test
