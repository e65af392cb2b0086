// Flows on random graphs end when a simulation that starts anew after every change says they do.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "support/fair_rates.hpp"
#include "support/two_ways.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core::test::flows_test {
namespace {

// Hosts on a random tree of switches, so that there is one way between any two.
NetworkGraph random_tree(Random& random) {
  const int hosts = random.between(2, 12), switches = random.between(1, 6);
  NetworkGraph graph;
  const auto cable = [&] {
    return LinkProperties{Bandwidth::from_gb_per_s(random.between(1, 40) * 1.25),
                          Time::from_ns(random.between(0, 500))};
  };
  for (int host = 0; host < hosts; ++host) graph.add({NodeKind::npu, "npu" + std::to_string(host)});
  for (int i = 0; i < switches; ++i) {
    const NodeId id = graph.add({NodeKind::network_switch, "switch" + std::to_string(i), true});
    if (i > 0) graph.join(id, NodeId(hosts + random.between(0, i - 1)), cable());
  }
  for (int host = 0; host < hosts; ++host)
    graph.join(NodeId(host), NodeId(hosts + random.between(0, switches - 1)), cable());
  return graph;
}

std::vector<Flow> random_flows(Random& random, int hosts) {
  std::vector<Flow> flows(static_cast<std::size_t>(random.between(1, 60)));
  const bool at_once = random.chance(40);
  for (Flow& flow : flows) {
    flow.source = random.between(0, hosts - 1);
    flow.destination = (flow.source + random.between(1, hosts - 1)) % hosts;
    flow.bytes = Bytes(random.chance(50) ? 1'000'000 : random.next() % 10'000'000 + 1);
    flow.start = Time::from_ps(at_once ? 0 : static_cast<std::int64_t>(random.next() % 2'000'000'000));
  }
  return flows;
}

struct Simulated {
  std::vector<double> last_byte_ns;
  std::vector<std::vector<LinkId>> routes;
};

// Goes from instant to instant at which flows start or end, and works out all rates anew in each.
Simulated simulate_plainly(const NetworkGraph& graph, const std::vector<Flow>& flows) {
  Simulated result{std::vector<double>(flows.size()), std::vector<std::vector<LinkId>>(flows.size())};
  Routes routes(graph);
  std::vector<double> capacities, left;
  for (const LinkId link : graph.all_links()) capacities.push_back(graph.link(link).bandwidth.bytes_per_ns());
  std::vector<std::vector<ResourceUse>> uses(flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const auto route = routes.find(NodeId(flows[i].source), NodeId(flows[i].destination), 0);
    for (const Route::Part& part : route->parts) result.routes[i].push_back(part.link);
    for (const LinkId link : result.routes[i]) uses[i].push_back({link.value(), 1});
    left.push_back(flows[i].bytes.as_double());
  }
  std::vector<std::size_t> to_come(flows.size()), active;
  for (std::size_t i = 0; i < flows.size(); ++i) to_come[i] = i;
  std::ranges::sort(to_come, [&](std::size_t a, std::size_t b) { return flows[a].start > flows[b].start; });
  double now = 0;
  while (!to_come.empty() || !active.empty()) {
    std::vector<FairFlow> sharing;
    for (const std::size_t flow : active) sharing.push_back({1e9, uses[flow]});
    const std::vector<double> rates = fair_rates(capacities, sharing);
    double next =
        to_come.empty() ? std::numeric_limits<double>::infinity() : flows[to_come.back()].start.ns();
    for (std::size_t i = 0; i < active.size(); ++i) next = std::min(next, now + left[active[i]] / rates[i]);
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < active.size(); ++i) {
      double& rest = left[active[i]];
      rest -= rates[i] * (next - now);
      if (rest <= 1e-6)
        result.last_byte_ns[active[i]] = next;
      else
        still.push_back(active[i]);
    }
    active = still;
    now = next;
    while (!to_come.empty() && flows[to_come.back()].start.ns() <= now) {
      active.push_back(to_come.back());
      to_come.pop_back();
    }
  }
  return result;
}

TEST(Flows, EndWhenAPlainSimulationSays) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Topology topology;
    const NetworkGraph graph = random_tree(random);
    topology.dimensions.emplace_back().size = static_cast<int>(graph.npus());
    topology.graph = std::make_shared<const NetworkGraph>(graph);
    const std::vector<Flow> flows = random_flows(random, topology.npus());
    const FlowsResult result = run_flows(flows, topology, {.model = &fluid_model});
    const FlowsResult alone = run_flows(flows, topology, {.model = &analytical_model});
    const Simulated expected = simulate_plainly(graph, flows);
    std::map<std::string, std::uint64_t> bytes;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      double latency = 0;
      for (const LinkId link : expected.routes[i]) {
        latency += graph.link(link).latency.ns();
        bytes[graph.node(graph.link(link).from).name + graph.node(graph.link(link).to).name] +=
            flows[i].bytes.count();
      }
      const double end = expected.last_byte_ns[i] + latency;
      ASSERT_NEAR(result.flows[i].end.ns(), end, 0.001 + end * 1e-9) << "seed " << seed << " flow " << i;
      ASSERT_GE(result.flows[i].end, alone.flows[i].end) << "seed " << seed << " flow " << i;
    }
    // Every link has carried the bytes of the flows that pass it, and no more than it can.
    ASSERT_EQ(result.links.size(), bytes.size());
    for (const LinkUse& link : result.links) {
      ASSERT_EQ(link.load.bytes.count(), bytes[link.from + link.to]) << "seed " << seed;
      ASSERT_LE(link.busy, result.end + Time::from_ps(1)) << "seed " << seed;
    }
  }
}

Flow flow_of(std::optional<std::uint32_t> channel, std::vector<std::uint32_t> after = {}) {
  Flow flow;
  flow.destination = 1;
  flow.bytes = Bytes(1000);
  flow.channel = channel;
  flow.after = std::move(after);
  return flow;
}

TEST(Flows, OfAChannelGoOneBehindTheOther) {
  const Topology topology = two_ways();
  const auto flows = run_flows({flow_of(5), flow_of(5)}, topology, {.model = &fluid_model}).flows;
  EXPECT_EQ(flows[0].end, Time::from_ns(1200));
  EXPECT_EQ(flows[1].end, Time::from_ns(2200));
}

TEST(Flows, ASeedChoosesWhoMeets) {
  Topology topology = two_ways();
  int met = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    topology.route_seed = seed;
    const auto flows = run_flows({flow_of({}), flow_of({})}, topology, {.model = &fluid_model}).flows;
    EXPECT_EQ(flows[0].end, flows[1].end);
    EXPECT_TRUE(flows[0].end == Time::from_ns(1200) || flows[0].end == Time::from_ns(2200));
    met += flows[0].end == Time::from_ns(2200);
  }
  EXPECT_GT(met, 10);
  EXPECT_LT(met, 30);
}

TEST(Flows, StartWhenThoseBeforeHaveEnded) {
  const Topology topology = two_ways();
  const auto flows =
      run_flows({flow_of(1), flow_of(1, {0}), flow_of(1, {0, 1})}, topology, {.model = &fluid_model}).flows;
  EXPECT_EQ(flows[1].start, Time::from_ns(1200));
  EXPECT_EQ(flows[2].start, Time::from_ns(2400));
  EXPECT_EQ(flows[2].end, Time::from_ns(3600));
}

}  // namespace
}  // namespace orrery::core::test::flows_test
