// Tests which ways packets take, each by itself or with their flow, on trees of switches whose links have 100
// Gbit/s and 1 us.
#include <gtest/gtest.h>

#include <cmath>

#include "network/packet/model/packet_keys.hpp"
#include "support/packet_runs.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/changes/failures.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::packet_routing_test {
namespace {

constexpr Routing packet_routings[] = {&packet_spray_routing, &random_spray_routing, &flowlet_routing,
                                       &packet_adaptive_routing};
constexpr double packet_ns = (4096 + 82) * 8 / 100.0, ack_ns = 84 * 8 / 100.0;

PacketSettings settings_of(const std::string& map) {
  return read_packets(parse_yaml(map, "packets"));
}

// Leaves with so many hosts, and as many spines.
Topology tree(int leaves, int hosts, Routing routing) {
  Warnings warnings;
  Topology tree =
      read_any_network("build: fat-tree\nlink: { bandwidth: 100 Gbit/s, latency: 1 us }\nlevels: [ { size: " +
                           std::to_string(hosts) + " }, { size: " + std::to_string(leaves) + " } ]\n",
                       "tree.yaml", warnings);
  tree.routing = routing;
  return tree;
}

// Every host sends to a host of the next leaf.
std::vector<Flow> permutation(int leaves, int hosts, std::uint64_t packets) {
  std::vector<Flow> flows;
  for (int host = 0; host < leaves * hosts; ++host)
    flows.push_back(packet_flow(host, (host + hosts) % (leaves * hosts), 4096 * packets));
  return flows;
}

double last_ns(const PacketRun& run) {
  double last = 0;
  for (const FlowTimes& times : run.flows) last = std::max(last, times.end.ns());
  return last;
}

// On a tree of full bisection, flows whose packets take all ways in turn have the full rate of their line.
TEST(PacketRouting, PacketsByTurnsHaveTheirLine) {
  constexpr std::uint64_t packets = 2000;
  const PacketRun run =
      run_packets(tree(4, 4, &packet_spray_routing), settings_of("window: none"), permutation(4, 4, packets));
  // Acknowledgements share the links on the way back.
  const double alone = packets * (packet_ns + ack_ns) + 3 * packet_ns + 4000;
  EXPECT_LT(last_ns(run), 1.02 * alone);
  EXPECT_EQ(run.totals.resent_bytes, 0u);
}

// Hashes have flows meet on links, one after the other or for good; packets that choose do not.
TEST(PacketRouting, PacketsThatChooseMeetLessThanFlowsThatDo) {
  const std::vector<Flow> flows = permutation(4, 4, 500);
  const double by_hash = last_ns(run_packets(tree(4, 4, &ecmp_routing), PacketSettings(), flows));
  for (const Routing routing : {&packet_spray_routing, &random_spray_routing, &packet_adaptive_routing})
    EXPECT_LT(last_ns(run_packets(tree(4, 4, routing), PacketSettings(), flows)), 0.9 * by_hash)
        << routing->name;
}

// A flow that never pauses is one flowlet, whose packets stay in order; one that may choose after every
// packet takes several ways.
TEST(PacketRouting, FlowletsEndWithAPauseOfTheirFlow) {
  const std::vector<Flow> flow{packet_flow(0, 4, 4096 * 100)};
  const auto links_of = [&](const std::string& interval) {
    const PacketRun run =
        run_packets(tree(2, 4, &flowlet_routing),
                    settings_of("{ window: none, choice-interval: " + interval + " }"), flow);
    int used = 0;
    for (const LinkUse& link : run.links)
      if (link.from == "leaf0" && link.to.starts_with("spine")) ++used;
    return used;
  };
  EXPECT_EQ(links_of("1 ms"), 1);
  EXPECT_EQ(links_of("300 ns"), 4);
}

// Go-back-N takes packets that overtake others for lost ones. All arrives nevertheless, but much twice.
TEST(PacketRouting, GoBackNSendsSprayedPacketsAgain) {
  const std::vector<Flow> flows = permutation(4, 4, 200);
  const Topology random = tree(4, 4, &random_spray_routing);
  const PacketRun again = run_packets(random, settings_of("reliability: go-back-n"), flows);
  EXPECT_GT(again.totals.resent_bytes, 16u * 200 * 4096 / 10);
  const PacketRun usual = run_packets(random, PacketSettings(), flows);
  EXPECT_EQ(usual.totals.resent_bytes, 0u);
}

// Messages that choose by load each find a spine that no other one has. The first version chose by a hash
// here, as nobody counted the loads.
TEST(PacketRouting, MessagesThatChooseByLoadGoApart) {
  std::vector<Flow> flows;
  for (int host = 0; host < 4; ++host) flows.push_back(packet_flow(host, 4 + host, 4096 * 100));
  const PacketRun run = run_packets(tree(2, 4, &adaptive_routing), PacketSettings(), flows);
  for (const LinkUse& link : run.links) {
    if (link.from == "leaf0" && link.to.starts_with("spine")) {
      EXPECT_EQ(link.load.messages, 1u) << link.to;
    }
  }
  EXPECT_NEAR(last_ns(run), 100 * packet_ns + 3 * packet_ns + 4000, 1);
}

// With k flows on k links that a hash chooses, a link is idle with probability (1 - 1/k)^k, and the flows end
// when the fullest link has carried all of its own.
TEST(PacketRouting, FlowsThatAHashPutsOnALinkShareIt) {
  constexpr int k = 8, seeds = 200;
  constexpr std::uint64_t packets = 200;
  Topology two_leaves = tree(2, k, &ecmp_routing);
  std::vector<Flow> flows;
  for (int host = 0; host < k; ++host) flows.push_back(packet_flow(host, k + host, 4096 * packets));
  double idle = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    two_leaves.route_seed = static_cast<std::uint64_t>(seed);
    const PacketRun run = run_packets(two_leaves, PacketSettings(), flows);
    std::uint64_t most = 0;
    int used = 0;
    for (const LinkUse& link : run.links) {
      if (link.from != "leaf0" || !link.to.starts_with("spine")) continue;
      ++used;
      most = std::max(most, link.load.messages);
    }
    idle += static_cast<double>(k - used) / k / seeds;
    const double expected = static_cast<double>(most * packets) * packet_ns + 3 * packet_ns + 4000;
    EXPECT_NEAR(last_ns(run) / expected, 1, 0.03) << seed;
  }
  // The standard deviation of the mean is below 0.11 / sqrt(200).
  EXPECT_NEAR(idle, std::pow(1 - 1.0 / k, k), 3 * 0.11 / std::sqrt(1.0 * seeds));
}

// Whatever the routing, when spines break and come back, and links lose packets, everything arrives.
TEST(PacketRouting, EverythingArrivesWhateverBreaks) {
  for (const Routing routing : packet_routings) {
    Topology broken = tree(4, 4, routing);
    broken.link_changes = std::make_shared<LinkChanges>(read_failure_file(
        "- { node: spine1, at: 20 us, until: 400 us }\n- { link: leaf0-spine0, at: 50 us }\n", "failures",
        *broken.graph));
    for (const char* map :
         {"{}", "{ loss: 0.01 }", "{ loss: 0.01, flow-control: none, window: none, buffer: 300 KiB }",
          "{ reliability: go-back-n }", "{ reliability: duplicate-acks, loss: 0.01 }"}) {
      const std::vector<Flow> flows = permutation(4, 4, 100);
      const PacketRun run = run_packets(broken, settings_of(map), flows);
      ASSERT_EQ(run.flows.size(), flows.size()) << routing->name << map;
      for (const FlowTimes& flow : run.flows) EXPECT_LE(flow.end, *flow.acknowledged);
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::packet_routing_test
