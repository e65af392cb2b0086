// On random networks that are graphs, these laws hold for every run: what enters a node leaves it, links
// carry all bytes on all their hops, no link carries more than it can, and no message is faster than by
// itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>

#include "network/flows/run_flows.hpp"
#include "study/run/run.hpp"
#include "study/workloads/layer_table/layer_table_workload.hpp"
#include "support/random_graph_run.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core::test::graph_conservation_test {
namespace {

std::uint64_t seeds(std::uint64_t usual) {
  return std::getenv("ORRERY_TEST_LONG") ? 20 * usual : usual;
}

Recording recording_of(const RunSpec& spec) {
  Warnings warnings;
  return carry_out(spec, warnings, false).recording;  // a folded run has one link for many
}

// Returns a run in which all NPUs exchange data, and each sends as much as it receives.
RunSpec all_to_all(const RunSpec& spec, std::uint64_t share) {
  RunSpec run = spec;
  LayerTable table;
  Layer layer;
  layer.name = "exchange";
  layer.weight_gradient.collective = CollectiveKind::all_to_all;
  layer.weight_gradient.size = Bytes(share * static_cast<std::uint64_t>(spec.topology->npus()));
  table.layers = {layer};
  run.workload = std::make_shared<const LayerTableWorkload>(table);
  run.system.edit().algorithms.fill({AlgorithmChoice{&direct_algorithm, 0, true}});
  return run;
}

// The number of links from one NPU to all others on shortest ways.
std::uint64_t links_from(const NetworkGraph& graph, NodeId source) {
  std::vector<std::uint64_t> links(graph.nodes(), 0);
  std::vector<NodeId> queue{source};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] != source && !graph.node(queue[i]).forwards) continue;
    for (const LinkId link : graph.links_from(queue[i])) {
      const NodeId to = graph.link(link).to;
      if (to == source || links[to.index()] != 0) continue;
      links[to.index()] = links[queue[i].index()] + 1;
      queue.push_back(to);
    }
  }
  return std::accumulate(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(graph.npus()),
                         std::uint64_t{0});
}

TEST(GraphConservation, LinksCarryEveryByteOnEveryHop) {
  constexpr std::uint64_t share = 1'000'000;
  for (std::uint64_t seed = 0; seed < seeds(200); ++seed) {
    const RandomGraphRun run = random_graph_run(seed, GraphWorkload::one_collective);
    const NetworkGraph& graph = *run.spec.topology->graph;
    const Recording recording = recording_of(all_to_all(run.spec, share));
    std::uint64_t hops = 0;
    for (const NodeId npu : graph.all_npus()) hops += links_from(graph, npu);
    double carried = 0;
    std::map<std::string, double> kept;  // by node: what enters it without what leaves it
    for (const LinkUse& link : recording.links) {
      const double bytes = static_cast<double>(link.links) * link.load.bytes.as_double();
      carried += bytes;
      kept[link.to] += bytes;
      kept[link.from] -= bytes;
    }
    // Where messages are divided, the bytes of each link are rounded.
    const auto rounding = static_cast<double>(graph.links());
    ASSERT_NEAR(carried, static_cast<double>(hops * share), rounding) << run.text;
    for (const auto& [node, bytes] : kept) ASSERT_NEAR(bytes, 0, rounding) << node << "\n" << run.text;
  }
}

TEST(GraphConservation, NoLinkCarriesMoreThanItCan) {
  for (const GraphCollectives collectives : {GraphCollectives::messages, GraphCollectives::channels}) {
    for (const GraphWorkload workload : {GraphWorkload::one_collective, GraphWorkload::layers,
                                         GraphWorkload::pipeline, GraphWorkload::transformer}) {
      for (std::uint64_t seed = 0; seed < seeds(5); ++seed) {
        try {
          const RandomGraphRun run = random_graph_run(seed, workload, collectives);
          const Recording recording = recording_of(run.spec);
          for (const LinkUse& link : recording.links) {
            const auto rounding = Time::from_ps(static_cast<std::int64_t>(link.load.messages) + 1);
            ASSERT_LE(link.busy.ps(), (recording.end() + rounding).ps())
                << link.from << " to " << link.to << "\n"
                << run.text;
          }
        } catch (const InputError&) {  // there are no channels, or groups do not fit the network
        }
      }
    }
  }
}

std::vector<Flow> random_flows(Random& random, int npus) {
  std::vector<Flow> flows(static_cast<std::size_t>(random.between(1, 60)));
  for (std::size_t i = 0; i < flows.size(); ++i) {
    Flow& flow = flows[i];
    flow.source = random.between(0, npus - 1);
    flow.destination = (flow.source + random.between(1, npus - 1)) % npus;
    flow.bytes = Bytes(random.next() % 10'000'000 + 1);
    flow.start = Time::from_ps(static_cast<std::int64_t>(random.next() % 500'000'000));
    if (i > 0 && random.chance(20))
      flow.after = {static_cast<std::uint32_t>(random.between(0, static_cast<int>(i) - 1))};
    if (random.chance(30)) flow.channel = 0;
  }
  return flows;
}

// A message by itself has the bandwidth of the way that it takes, and all of its latency.
TEST(GraphConservation, NoFlowIsFasterThanByItself) {
  for (std::uint64_t seed = 0; seed < seeds(300); ++seed) {
    const RandomGraphRun run = random_graph_run(seed, GraphWorkload::one_collective);
    Random random(seed);
    Topology topology = *run.spec.topology;
    const std::vector<Flow> flows = random_flows(random, topology.npus());
    const FlowsResult sharing = run_flows(flows, topology, {.model = &fluid_model});
    const FlowsResult alone = run_flows(flows, topology, {.model = &analytical_model});
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const Time took = sharing.flows[i].end - sharing.flows[i].start;
      const Time least = alone.flows[i].end - alone.flows[i].start;
      ASSERT_GE(took.ps(), least.ps() - 1) << "flow " << i << "\n" << run.text;
      ASSERT_GE(sharing.flows[i].start, alone.flows[i].start) << "flow " << i << "\n" << run.text;
    }
    ASSERT_EQ(sharing.links.size(), alone.links.size());
  }
}

// A link from every NPU to every other one, as fast as the way between them and of its latency.
NetworkGraph with_private_links(const NetworkGraph& graph) {
  NetworkGraph links;
  for (const NodeId npu : graph.all_npus()) links.add({NodeKind::npu, graph.node(npu).name});
  Routes routes(graph, 0, &spray_routing);
  for (const NodeId from : graph.all_npus()) {
    for (const NodeId to : graph.all_npus()) {
      if (from == to) continue;
      const std::optional<Route> route = routes.find(from, to, 0);
      double slowest = std::numeric_limits<double>::infinity();
      for (const Route::Part& part : route->parts)
        slowest = std::min(slowest, graph.link(part.link).bandwidth.bytes_per_ns() / part.share);
      links.connect(from, to, {Bandwidth::from_gb_per_s(slowest), route->latency});
    }
  }
  return links;
}

// In a collective by itself, in one chunk, every message waits for the same messages on either network.
TEST(GraphConservation, NoCollectiveIsFasterThanOnLinksOfItsOwn) {
  int slower = 0;
  for (std::uint64_t seed = 0; seed < seeds(300); ++seed) {
    RandomGraphRun run = random_graph_run(seed, GraphWorkload::one_collective);
    run.spec.topology.edit().routing = &spray_routing;
    const Time shared = recording_of(run.spec).end();
    run.spec.topology.edit().graph =
        std::make_shared<const NetworkGraph>(with_private_links(*run.spec.topology->graph));
    const Recording alone = recording_of(run.spec);
    ASSERT_GE(shared.ps() + static_cast<std::int64_t>(alone.messages), alone.end().ps()) << run.text;
    slower += shared > alone.end();
  }
  EXPECT_GT(slower, 50);
}

}  // namespace
}  // namespace orrery::core::test::graph_conservation_test
