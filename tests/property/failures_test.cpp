// Flows on random graphs whose links break and come back.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::failures_property_test {
namespace {

constexpr int leaves = 3, spines = 3, hosts = 9;

// Hosts below leaves below spines, without some of the links between these.
NetworkGraph clos(const std::set<std::pair<int, int>>& without = {}) {
  NetworkGraph graph;
  for (int host = 0; host < hosts; ++host) graph.add({NodeKind::npu, "npu" + std::to_string(host)});
  for (int i = 0; i < leaves + spines; ++i)
    graph.add({NodeKind::network_switch, "switch" + std::to_string(i), true});
  const LinkProperties cable{Bandwidth::from_gb_per_s(1), Time::from_ns(100)};
  for (int host = 0; host < hosts; ++host) graph.join(NodeId(host), NodeId(hosts + host % leaves), cable);
  for (int leaf = 0; leaf < leaves; ++leaf)
    for (int spine = 0; spine < spines; ++spine)
      if (!without.contains({leaf, spine}))
        graph.join(NodeId(hosts + leaf), NodeId(hosts + leaves + spine), cable);
  return graph;
}

Topology topology_of(NetworkGraph graph, Routing routing) {
  Topology topology;
  topology.dimensions.emplace_back().size = hosts;
  topology.graph = std::make_shared<const NetworkGraph>(std::move(graph));
  topology.routing = routing;
  return topology;
}

std::vector<Flow> random_flows(Random& random) {
  std::vector<Flow> flows(static_cast<std::size_t>(random.between(1, 40)));
  for (Flow& flow : flows) {
    flow.source = random.between(0, hosts - 1);
    flow.destination = (flow.source + random.between(1, hosts - 1)) % hosts;
    flow.bytes = Bytes(random.next() % 100'000 + 1);
    flow.start = Time::from_ps(static_cast<std::int64_t>(random.next() % 200'000'000));
    if (random.chance(30)) flow.channel = 0;
  }
  return flows;
}

// Links that are broken from some time to another, of all leaves to two spines at most.
LinkChanges random_changes(Random& random, const NetworkGraph& graph) {
  LinkChanges changes;
  for (LinkId link(2 * hosts); link.index() < graph.links(); ++link) {
    const int spine = static_cast<int>((link.value() - 2 * hosts) / 2) % spines;
    if (spine == 0 || random.chance(50)) continue;
    const auto at = static_cast<std::int64_t>(random.next() % 200'000'000);
    changes.list.push_back({Time::from_ps(at), link, random.chance(60) ? 0 : 0.25, {}});
    if (random.chance(50)) changes.list.push_back({Time::from_ps(at + 50'000'000), link, 1, {}});
  }
  std::ranges::stable_sort(changes.list, {}, &LinkChange::at);
  return changes;
}

FlowsResult run(const Topology& topology, const std::vector<Flow>& flows) {
  return run_flows(flows, topology, {.model = &fluid_model, .link_history = true});
}

TEST(Failures, FromTheStartOnAreANetworkWithoutTheLinks) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const std::vector<Flow> flows = random_flows(random);
    std::set<std::pair<int, int>> without;
    for (int leaf = 0; leaf < leaves; ++leaf)
      for (int spine = 1; spine < spines; ++spine)
        if (random.chance(40)) without.insert({leaf, spine});
    Topology failing = topology_of(clos(), &spray_routing);
    auto changes = std::make_shared<LinkChanges>();
    for (const auto& [leaf, spine] : without)
      for (const int one_way : {0, 1})
        changes->list.push_back({Time(), LinkId(2 * (hosts + leaf * spines + spine) + one_way), 0, {}});
    failing.link_changes = changes;
    const FlowsResult broken = run(failing, flows);
    const FlowsResult expected = run(topology_of(clos(without), &spray_routing), flows);
    for (std::size_t i = 0; i < flows.size(); ++i)
      ASSERT_NEAR(broken.flows[i].end.ns(), expected.flows[i].end.ns(), 0.05)
          << "seed " << seed << " flow " << i;
  }
}

// Whatever breaks, all that is sent to a host passes its link, and no link carries more than it can.
TEST(Failures, ConserveBytes) {
  for (const auto& [word, routing] : routing_words) {
    if (routing->why_not) continue;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Random random(seed);
      const std::vector<Flow> flows = random_flows(random);
      Topology topology = topology_of(clos(), routing);
      topology.link_changes = std::make_shared<LinkChanges>(random_changes(random, *topology.graph));
      const FlowsResult result = run(topology, flows);
      std::map<std::string, double> sent, carried;
      for (const Flow& flow : flows) sent["npu" + std::to_string(flow.destination)] += flow.bytes.as_double();
      for (const LinkUse& link : result.links) {
        if (link.to.starts_with("npu")) carried[link.to] += link.load.bytes.as_double();
        ASSERT_LE(link.busy.ns(), result.end.ns() + 60) << word << " seed " << seed;
      }
      ASSERT_EQ(sent, carried) << word << " seed " << seed;
      // Over all intervals a link carries what it carries in the run, a byte per message aside.
      std::map<std::string, double> over_time;
      const double interval = result.link_history.interval.ns();
      for (const LinkSeries& link : result.link_history.links)
        for (const double bytes : link.bytes) ASSERT_LE(bytes, link.bytes_per_ns * interval * (1 + 1e-6));
      for (const LinkSeries& link : result.link_history.links)
        over_time[link.from + link.to] += std::accumulate(link.bytes.begin(), link.bytes.end(), 0.0);
      for (const LinkUse& link : result.links)
        ASSERT_NEAR(over_time[link.from + link.to], link.load.bytes.as_double(), 80.0)
            << word << " seed " << seed;
      ASSERT_EQ(run(topology, flows).end, result.end);
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::failures_property_test
