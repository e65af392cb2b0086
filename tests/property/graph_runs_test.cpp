// A dimension of NPUs around a switch, or that are all connected, is a graph of as many links: runs on it
// take the same time either way.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/random.hpp"
#include "study/run/run.hpp"
#include "support/random_run.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core::test::graph_runs_test {
namespace {

// Returns a dimension with numbers that binary fractions hold, so that sums are exact in any order.
Dimension simple_dimension(Random& random, int size) {
  Dimension dimension;
  dimension.name = "net";
  dimension.size = size;
  dimension.block = size > 1 && random.chance(50) ? Block::fully_connected : Block::switched;
  dimension.links = min_links(dimension.block, size);
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(1 << random.between(0, 6));
  dimension.link_latency_ns = random.between(0, 2000);
  return dimension;
}

NetworkGraph graph_of(const Dimension& dimension) {
  NetworkGraph graph;
  const int npus = dimension.size;
  const LinkProperties cable{dimension.link_bandwidth,
                             Time::from_ns(static_cast<std::int64_t>(dimension.link_latency_ns))};
  for (int npu = 0; npu < npus; ++npu) graph.add({NodeKind::npu, fmt::format("npu{}", npu)});
  if (dimension.block == Block::switched) {
    const NodeId hub = graph.add({NodeKind::network_switch, fmt::format("switch{}", npus), true});
    for (const NodeId npu : graph.all_npus()) graph.join(npu, hub, cable);
  } else {
    for (int npu = 0; npu < npus; ++npu)
      for (int other = npu + 1; other < npus; ++other) graph.join(NodeId(npu), NodeId(other), cable);
  }
  return graph;
}

TEST(GraphRuns, TakeWhatTheSameLinksAsADimensionTake) {
  int runs = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RunSpec spec = random_run(seed, native_dialect);
    if (spec.topology->dimensions.size() != 1) continue;
    ++runs;
    Random random(seed);
    Topology topology;
    topology.dimensions = {simple_dimension(random, spec.topology->npus())};
    spec.network.model = &fluid_model;
    Warnings warnings;
    spec.topology = topology;
    const Recording plain = carry_out(spec, warnings, false).recording;
    topology.graph = std::make_shared<const NetworkGraph>(graph_of(topology.dimensions[0]));
    spec.topology = topology;
    const Recording on_graph = carry_out(spec, warnings, false).recording;
    ASSERT_EQ(on_graph.finish, plain.finish) << describe(spec);
    ASSERT_EQ(on_graph.messages, plain.messages) << describe(spec);
    std::uint64_t carried = 0, carried_on_graph = 0;
    for (const LinkUse& link : plain.links) carried += link.links * link.load.bytes.count();
    for (const LinkUse& link : on_graph.links) carried_on_graph += link.links * link.load.bytes.count();
    ASSERT_EQ(carried_on_graph, carried) << describe(spec);
  }
  EXPECT_GT(runs, 100);
}

}  // namespace
}  // namespace orrery::core::test::graph_runs_test
