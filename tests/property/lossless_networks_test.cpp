// Where switches pause senders, packets are neither lost nor sent again, whatever the links are, as long as
// buffers hold the headroom of their ports. Where ways form a circle, all flows end, or a deadlock is
// reported.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/diagnostics/diagnostics.hpp"
#include "base/random.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/flow_control/headroom.hpp"
#include "network/packet/model/packet_profiles.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::lossless_networks_test {
namespace {

constexpr std::array gbit_per_s{10, 25, 40, 50, 100, 200, 400, 800};

LinkProperties random_link(Random& random, double decades) {
  LinkProperties link;
  link.bandwidth = Bandwidth::from_gb_per_s(gbit_per_s[random.next() % gbit_per_s.size()] / 8.0);
  link.latency = Time::from_ns(static_cast<std::int64_t>(std::pow(10, decades * random.fraction())));
  return link;
}

// A tree of switches, or with `circle` a ring on which ways pass several of them, with up to three hosts
// each.
Topology random_network(Random& random, bool circle) {
  const double decades = circle ? 2 : 5;  // from 1 ns on
  BuiltNetwork built;
  const int switches = circle ? random.between(5, 7) : random.between(1, 5);
  std::vector<int> switch_of_host;
  for (int number = 0; number < switches; ++number)
    for (int host = random.between(switches == 1 ? 3 : 1, 3); host > 0; --host) {
      built.graph.add({NodeKind::npu, fmt::format("npu{}", switch_of_host.size()), false});
      switch_of_host.push_back(number);
    }
  const auto hosts = static_cast<int>(switch_of_host.size());
  for (int number = 0; number < switches; ++number) {
    built.graph.add({NodeKind::network_switch, fmt::format("switch{}", number), true});
    const int before = circle ? number - 1 : random.between(0, std::max(0, number - 1));
    if (number > 0)
      built.graph.join(NodeId(hosts + number), NodeId(hosts + before), random_link(random, decades));
  }
  if (circle) built.graph.join(NodeId(hosts), NodeId(hosts + switches - 1), random_link(random, decades));
  for (const NodeId host : built.graph.all_npus())
    built.graph.join(host, NodeId(hosts + switch_of_host[host.index()]), random_link(random, decades));
  built.groups = {hosts};
  return topology_of(std::move(built));
}

// A tree in which several ways lead up, among which packets choose.
Topology random_fat_tree(Random& random) {
  Warnings warnings;
  const int hosts = random.between(2, 4);
  Topology tree =
      read_any_network(fmt::format("build: fat-tree\nlink: {{ bandwidth: {} Gbit/s, latency: {} ns }}\n"
                                   "levels: [ {{ size: {} }}, {{ size: {}, oversubscription: {} }} ]\n",
                                   gbit_per_s[random.next() % gbit_per_s.size()], random.between(1, 3000),
                                   hosts, random.between(2, 4), random.chance(50) ? 1 : hosts),
                       "tree", warnings);
  do tree.routing = routing_words[random.next() % routing_words.size()].value;
  while (tree.routing->why_not || tree.routing->relays || tree.routing->by_table);
  return tree;
}

bool chooses_packet_by_packet(const Topology& topology) {
  return topology.routing && topology.routing->packets.choose;
}

PacketSettings random_settings(Random& random, const Topology& topology) {
  constexpr std::array profiles{roce_v2_packets, roce_v2_packets, tcp_packets, htsim_packets};
  PacketSettings settings = profiles[random.next() % profiles.size()]();
  settings.flow_control = &pause_flow_control;
  settings.congestion.kind = congestion_words[random.next() % congestion_words.size()].value;
  const CongestionKind* const control = settings.congestion.kind;
  if (control && control->marks.rate > 0)
    settings.ecn = {.on = true, .thresholds = {control->marks}, .scaled = true};
  settings.window.limited = (control && control->needs_window) || random.chance(40);
  if (random.chance(30)) settings.window.bytes = static_cast<std::uint64_t>(random.between(1, 300'000));
  // Go-back-N sends again what other packets have overtaken.
  if (random.chance(50) || chooses_packet_by_packet(topology))
    settings.reliability.kind = random.chance(50) || (control && control->grants)
                                    ? &selective_repeat_reliability
                                    : &duplicate_acks_reliability;
  settings.sizes.payload = static_cast<std::uint32_t>(random.between(64, 9000));
  settings.sizes.data_header = static_cast<std::uint32_t>(random.between(0, 100));
  if (random.chance(30))
    settings.sizes.min_ack = settings.sizes.ack_header = static_cast<std::uint32_t>(random.between(1, 3000));
  settings.reliability.min_timeout_ps = random.between(1, 1000) * std::int64_t{1'000'000};
  return settings;
}

// Some links are slower for a while, which is no reason to lose anything.
void slow_down(Random& random, Topology& topology) {
  auto changes = std::make_shared<LinkChanges>();
  for (int i = random.between(1, 5); i > 0; --i) {
    const LinkId link(random.next() % topology.graph->links());
    const Time at = Time::from_ns(random.between(0, 200'000));
    changes->list.push_back({at, link, 0.05 + 0.9 * random.fraction(), {}});
    changes->list.push_back({at + Time::from_ns(random.between(1, 100'000)), link, 1, {}});
  }
  std::ranges::stable_sort(changes->list, {}, &LinkChange::at);
  topology.link_changes = std::move(changes);
}

// Buffers hold what their ports set aside, and little or much more.
void give_buffers(Random& random, const Topology& topology, PacketSettings& settings) {
  const NetworkGraph& graph = *topology.graph;
  const bool fixed_thresholds = settings.buffer.pause_above > 0;
  if (fixed_thresholds)
    settings.buffer.pause_above = settings.buffer.resume_below =
        static_cast<std::uint64_t>(random.between(1, 20));
  const Headroom headroom(graph, topology.link_changes.get(), settings);
  std::uint64_t most = 0;
  for (const NodeId node : graph.all_nodes()) {
    if (!graph.node(node).forwards) continue;
    std::uint64_t needed = headroom.set_aside(node);
    if (fixed_thresholds)
      for (const LinkId port : graph.links_from(node))
        needed += settings.buffer.pause_above * settings.sizes.payload + headroom.needed(port);
    most = std::max(most, needed);
  }
  settings.buffer.bytes = most + static_cast<std::uint64_t>(
                                     random.between(1, 1 << random.between(1, random.chance(50) ? 8 : 20)));
}

// Many flows go to few hosts, and most flows have the same priority.
std::vector<Flow> random_flows(Random& random, const Topology& topology, const PacketSettings& settings) {
  const int hosts = topology.npus(), targets = random.between(1, hosts);
  const int packets = random.chance(10) ? 6000 : 1000;  // of all flows, about
  std::vector<Flow> flows(static_cast<std::size_t>(random.between(2, 20)));
  const int most = packets / static_cast<int>(flows.size()) * static_cast<int>(settings.sizes.payload);
  const bool many_priorities = settings.buffer.pause_above == 0 && random.chance(30);
  for (Flow& flow : flows) {
    const int destination = random.between(0, random.chance(70) ? targets - 1 : hosts - 1);
    flow = packet_flow((destination + random.between(1, hosts - 1)) % hosts, destination,
                       static_cast<std::uint64_t>(random.between(1, random.chance(20) ? 200 : most)),
                       Time::from_ns(random.chance(50) ? 0 : random.between(0, 20'000)));
    if (random.chance(30)) flow.channel = 0;
    if (many_priorities) flow.priority = random.between(1, 7);
  }
  return flows;
}

struct Case {
  Topology topology;
  PacketSettings settings;
  std::vector<Flow> flows;
};

// Fills the buffers around a circle.
void go_around(Case& made) {
  if (made.settings.congestion.kind && made.settings.congestion.kind->needs_window) return;
  made.settings.window = {.limited = false};
  const int hosts = made.topology.npus();
  for (int host = 0; host < hosts; ++host)
    made.flows.push_back(packet_flow(host, (host + hosts / 3) % hosts, 200ull * made.settings.sizes.payload));
}

Case random_case(std::uint64_t seed, bool circle) {
  Random random(seed);
  Case made;
  const bool has_choice = !circle && random.chance(25);
  made.topology = has_choice ? random_fat_tree(random) : random_network(random, circle);
  if (!circle && !has_choice && random.chance(25)) slow_down(random, made.topology);
  made.settings = random_settings(random, made.topology);
  give_buffers(random, made.topology, made.settings);
  made.flows = random_flows(random, made.topology, made.settings);
  if (circle) go_around(made);
  made.settings.seed = seed;
  return made;
}

// Returns whether any sender has been paused.
bool expect_lossless(const Case& made) {
  const PacketRun run = run_packets(made.topology, made.settings, made.flows);
  EXPECT_EQ(run.totals.drops, 0u);
  EXPECT_EQ(run.totals.resent_bytes, 0u);
  EXPECT_EQ(run.held_bytes, 0u);
  return run.totals.pauses > 0;
}

std::uint64_t cases(std::uint64_t quick, std::uint64_t all) {
  return std::getenv("ORRERY_TEST_LONG") ? all : quick;
}

TEST(LosslessNetworks, LoseNothingAndSendNothingAgain) {
  const std::uint64_t count = cases(100, 2000);
  std::uint64_t paused = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    if (expect_lossless(random_case(seed, false))) ++paused;
  }
  EXPECT_GT(paused, count / 4);
}

TEST(LosslessNetworks, EndOrReportADeadlockWhereWaysFormACircle) {
  const std::uint64_t count = cases(20, 300);
  std::uint64_t stuck = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    try {
      expect_lossless(random_case(seed, true));
    } catch (const StallError& error) {
      EXPECT_NE(std::string(error.what()).find("wait for one another in a circle"), std::string::npos)
          << error.what();
      ++stuck;
    }
  }
  EXPECT_GT(stuck, count / 10);
  EXPECT_LT(stuck, count);
}

}  // namespace
}  // namespace orrery::core::test::lossless_networks_test
