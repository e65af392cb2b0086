// Long flows take packet by packet what they take as fluid flows, where each shares one link at most, so that
// no control decides what a link is left with.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core::test::packets_and_flows_test {
namespace {

// A tree of switches with two to four hosts each, between any two of which there is one way.
Topology random_tree(Random& random) {
  BuiltNetwork built;
  std::vector<int> switch_of_host;
  const int switches = random.between(1, 6);
  for (int number = 0; number < switches; ++number)
    for (int host = random.between(2, 4); host > 0; --host) {
      built.graph.add({NodeKind::npu, fmt::format("npu{}", switch_of_host.size()), false});
      switch_of_host.push_back(number);
    }
  const auto hosts = static_cast<int>(switch_of_host.size());
  const auto join = [&](NodeId a, NodeId b) {
    LinkProperties link;
    link.bandwidth = Bandwidth::from_gb_per_s(12.5);
    link.latency = Time::from_ns(random.between(100, 1000));
    built.graph.join(a, b, link);
  };
  for (int number = 0; number < switches; ++number) {
    built.graph.add({NodeKind::network_switch, fmt::format("switch{}", number), true});
    if (number > 0) join(NodeId(hosts + number), NodeId(hosts + random.between(0, number - 1)));
  }
  for (const NodeId host : built.graph.all_npus()) join(host, NodeId(hosts + switch_of_host[host.index()]));
  built.groups = {hosts};
  return topology_of(std::move(built));
}

// Flows of which each shares one link at most with others, on which no acknowledgements come back: they would
// wait there with the packets, and windows are as long as a round trip of an empty network.
struct Flows {
  const NetworkGraph& graph;
  std::vector<Flow> flows = {};
  std::vector<std::vector<LinkId>> routes = {};
  std::map<LinkId, int> loads = {};

  bool is_shared(LinkId link) const {
    const auto load = loads.find(link);
    return load != loads.end() && load->second > 1;
  }
  bool may_be(const std::vector<LinkId>& links_of_route) const {
    return std::ranges::count_if(links_of_route, [&](LinkId link) { return is_shared(link); }) <= 1 &&
           std::ranges::none_of(links_of_route, [&](LinkId link) { return is_shared(graph.reverse(link)); });
  }
  void add(const Flow& flow, const Route& route) {
    std::vector<LinkId> links_of_route;
    for (const Route::Part& part : route.parts) links_of_route.push_back(part.link);
    for (const LinkId link : links_of_route) ++loads[link];
    routes.push_back(links_of_route);
    flows.push_back(flow);
    if (std::ranges::all_of(routes, [&](const auto& other) { return may_be(other); })) return;
    for (const LinkId link : links_of_route) --loads[link];
    routes.pop_back();
    flows.pop_back();
  }
};

Flows random_flows(Random& random, const Topology& topology) {
  Flows flows{.graph = *topology.graph};
  Routes routes(*topology.graph);
  const int hosts = topology.npus();
  for (int i = 0; i < 10 * hosts; ++i) {
    Flow flow;
    flow.source = random.between(0, hosts - 1);
    flow.destination = (flow.source + random.between(1, hosts - 1)) % hosts;
    flow.bytes = Bytes(static_cast<std::uint64_t>(random.between(5'000'000, 20'000'000)));
    flow.start = Time::from_ns(random.between(0, 300'000));
    flows.add(flow, *routes.find(NodeId(flow.source), NodeId(flow.destination), 0));
  }
  return flows;
}

// Returns when the last flow ends that passes each of the shared links, and when each flow ends that shares
// none. The control decides which of the flows that share a link ends first.
std::vector<double> last_ends(const Flows& flows, const FlowsResult& result) {
  std::map<LinkId, double> of_links;
  std::vector<double> ends;
  for (std::size_t flow = 0; flow < flows.flows.size(); ++flow) {
    const double end = result.flows[flow].end.ns();
    const auto shared =
        std::ranges::find_if(flows.routes[flow], [&](LinkId link) { return flows.is_shared(link); });
    if (shared == flows.routes[flow].end())
      ends.push_back(end - flows.flows[flow].start.ns());
    else
      of_links[*shared] = std::max(of_links[*shared], end);
  }
  for (const auto& [link, end] : of_links) ends.push_back(end);
  return ends;
}

TEST(PacketsAndFlows, LongFlowsTakeAsLong) {
  const std::uint64_t seeds = std::getenv("ORRERY_TEST_LONG") ? 300 : 10;
  PacketSettings packets;
  packets.sizes.data_header = 0;
  packets.sizes.ack_header = packets.sizes.min_ack = 1;
  packets.window.bytes = 300'000;  // more than any way carries in a round trip, and no switch pauses anybody
  std::size_t shared = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const Topology topology = random_tree(random);
    const Flows flows = random_flows(random, topology);
    const auto ends = [&](NetworkModel model) {
      const NetworkSetup network{.model = model, .packets = std::make_shared<const PacketSettings>(packets)};
      return last_ends(flows, run_flows(flows.flows, topology, network));
    };
    const std::vector<double> by_packets = ends(&packet_model), by_flows = ends(&fluid_model);
    ASSERT_EQ(by_packets.size(), by_flows.size());
    for (std::size_t i = 0; i < by_flows.size(); ++i)
      EXPECT_NEAR(by_packets[i] / by_flows[i], 1, 0.03) << "seed " << seed;
    shared += flows.flows.size() - by_flows.size();
  }
  EXPECT_GT(shared, seeds);
}

}  // namespace
}  // namespace orrery::core::test::packets_and_flows_test
