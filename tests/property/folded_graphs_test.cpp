// On networks in which all NPUs are symmetric, one NPU that stands for all of them meets the same flows. So a
// run takes as long as one that simulates every message of every NPU.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>

#include "base/input/yaml_base.hpp"
#include "base/random.hpp"
#include "collective/algorithms/algorithms.hpp"
#include "network/host/host_stack_option.hpp"
#include "study/run/run.hpp"
#include "study/workloads/layer_table/layer_table_workload.hpp"
#include "support/random_run.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/network_product.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::folded_graphs_test {
namespace {

// A link with numbers that binary fractions hold, so that sums are exact in any order.
std::string link(Random& random, bool striped) {
  return fmt::format("{{ bandwidth: {} GB/s, latency: {} ns, count: {}, striped: {} }}",
                     1 << random.between(0, 6), random.between(0, 2000),
                     striped ? 1 << random.between(0, 2) : 1, striped);
}

// Returns a product of circles and the like with these sizes.
std::string random_product(Random& random, const std::vector<Dimension>& dimensions) {
  std::string network;
  for (const Dimension& dimension : dimensions) {
    const std::string form =
        random.pick<std::string>({"ring", "fully-connected", network.empty() ? "switch" : "ring"});
    network = fmt::format("{{ build: {}, size: {}, link: {}{} }}", form, dimension.size,
                          link(random, random.chance(30)), network.empty() ? "" : ", inside: " + network);
  }
  return network;
}

// Returns a tree of switches whose links are striped, so that messages spread over all ways.
std::string random_tree(Random& random, const std::vector<Dimension>& dimensions) {
  std::string levels;
  const std::string shared = link(random, true);
  for (const Dimension& dimension : dimensions)
    levels += fmt::format("{}{{ size: {}, link: {} }}", levels.empty() ? "" : ", ", dimension.size, shared);
  return fmt::format("{{ build: fat-tree, levels: [{}] }}", levels);
}

double bytes_on_links(const Recording& recording) {
  std::uint64_t bytes = 0;
  for (const LinkUse& link : recording.links) bytes += link.links * link.load.bytes.count();
  return static_cast<double>(bytes);
}

double links_used(const Recording& recording) {
  std::uint64_t links = 0;
  for (const LinkUse& link : recording.links) links += link.links;
  return static_cast<double>(links);
}

std::uint64_t messages_on_links(const Recording& recording) {
  std::uint64_t messages = 0;
  for (const LinkUse& link : recording.links) messages += link.links * link.load.messages;
  return messages;
}

// Compares runs with and without folding, on the network that `make_network` gives them; it returns its
// name. Returns how many could be folded.
template <class MakeNetwork>
int compare(const Dialect& dialect, const MakeNetwork& make_network, std::uint64_t cases) {
  int folded = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    RunSpec spec = random_run(seed, dialect, {.max_npus = 24});
    if (spec.topology->dimensions.size() > 3) continue;
    Random random(seed);
    const std::string network = make_network(random, spec);
    spec.network.model = &fluid_model;
    Warnings warnings;
    const Recording one = carry_out(spec, warnings).recording;
    if (!one.folded) continue;
    ++folded;
    const Recording all = carry_out(spec, warnings, false).recording;
    // Rates that are sums of other shares may differ in their last digit, and so may picoseconds.
    for (const Time finish : all.finish)
      EXPECT_NEAR(finish.ns(), one.finish[0].ns(), 1e-7 * finish.ns() + 0.005) << network << describe(spec);
    EXPECT_EQ(one.messages, all.messages) << network << describe(spec);
    EXPECT_EQ(messages_on_links(one), messages_on_links(all)) << network << describe(spec);
    // Bytes of messages that are divided are rounded on each link, those of half a byte up or down.
    EXPECT_NEAR(bytes_on_links(one), bytes_on_links(all), links_used(one)) << network << describe(spec);
    if (testing::Test::HasFailure()) break;
  }
  return folded;
}

std::uint64_t many() {
  return std::getenv("ORRERY_TEST_LONG") ? 20'000 : 1'000;
}

// Gives runs a graph.
template <class MakeGraph>
auto on_graph(const MakeGraph& make_graph, Routing routing) {
  return [=](Random& random, RunSpec& spec) {
    const std::string network = make_graph(random, spec.topology->dimensions);
    Warnings warnings;
    Topology topology = read_any_network(network, "net.yaml", warnings);
    topology.routing = routing;
    spec.topology = topology;
    return network;
  };
}

// Leaves runs the dimensions that they have.
std::string on_dimensions(Random&, RunSpec& spec) {
  spec.network.slow_links.clear();
  return describe(spec);
}

// Readers of the dimensions see the same ones, whether the graph has been made or not.
TEST(FoldedGraphs, ProductsHaveTheDimensionsOfTheirGraphs) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const RunSpec spec = random_run(seed, native_dialect, {.max_npus = 24});
    const std::string network = random_product(random, spec.topology->dimensions);
    Warnings warnings;
    const Topology product = read_any_network(network, "net.yaml", warnings);
    std::vector<int> groups;
    for (const Dimension& dimension : product.dimensions) groups.push_back(dimension.size);
    const Topology graph = topology_of({*product.graph, groups});
    ASSERT_NE(product.graph.product(), nullptr) << network;
    for (std::size_t d = 0; d < groups.size(); ++d) {
      const Dimension &one = product.dimensions[d], &other = graph.dimensions[d];
      ASSERT_EQ(one.block, other.block) << network;
      ASSERT_EQ(one.links, other.links) << network;
      ASSERT_EQ(one.link_bandwidth.bytes_per_ns(), other.link_bandwidth.bytes_per_ns()) << network;
      ASSERT_EQ(one.link_latency_ns, other.link_latency_ns) << network;
    }
  }
}

TEST(FoldedGraphs, RunsOnAProductDoNotMakeTheGraph) {
  RunSpec spec = random_run(0, native_dialect);
  Warnings warnings;
  Topology topology = read_any_network(
      "build: torus\nlink: { bandwidth: 50 GB/s, latency: 500 ns }\ndimensions: [ { size: 3 }, { size: 5 } "
      "]\n",
      "net.yaml", warnings);
  const NetworkProduct product = *topology.graph.product();
  int made = 0;
  topology.graph = LazyGraph(
      [&, graph = topology.graph] {
        ++made;
        return std::make_shared<const NetworkGraph>(*graph);
      },
      product);
  spec.topology = topology;
  spec.network.model = &fluid_model;
  spec.system.edit().algorithms.fill(std::vector(2, AlgorithmChoice{&ring_algorithm}));
  spec.system.edit().rendezvous = false;
  Layer layer;
  layer.name = "gradients";
  layer.weight_gradient.collective = CollectiveKind::all_reduce;
  layer.weight_gradient.size = Bytes(1'000'000);
  LayerTable table;
  table.layers = {layer};
  spec.workload = std::make_shared<const LayerTableWorkload>(table);
  EXPECT_TRUE(carry_out(spec, warnings).recording.folded);
  EXPECT_EQ(made, 0);
  carry_out(spec, warnings, false);
  EXPECT_EQ(made, 1);
}

TEST(FoldedGraphs, ProductsTakeAsLongAsEveryMessage) {
  EXPECT_GT(compare(native_dialect, on_graph(random_product, &ecmp_routing), 250), 25);
}

TEST(FoldedGraphs, ManyProductsTakeAsLongAsEveryMessageSlow) {
  EXPECT_GT(compare(native_dialect, on_graph(random_product, &ecmp_routing), many()), 100);
}

TEST(FoldedGraphs, SprayedTreesTakeAsLongAsEveryMessageSlow) {
  EXPECT_GT(compare(native_dialect, on_graph(random_tree, &spray_routing), many()), 50);
}

TEST(FoldedGraphs, DimensionsTakeAsLongAsEveryMessage) {
  EXPECT_GT(compare(native_dialect, on_dimensions, 250), 25);
}

TEST(FoldedGraphs, ManyDimensionsTakeAsLongAsEveryMessageSlow) {
  EXPECT_GT(compare(native_dialect, on_dimensions, many()), 100);
}

// Phases of the upper half of a dimension's queues turn the other way. A collective that is planned again
// gets to them, though it was planned for the lower half before.
TEST(FoldedGraphs, EqualCollectivesMayTurnEitherWay) {
  RunSpec spec = random_run(0, native_dialect);
  spec.network.slow_links.clear();
  spec.compute_slowdown.clear();
  Dimension dimension;
  dimension.block = Block::switched;
  dimension.size = 4;
  dimension.links = 1;
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
  spec.topology = Topology{{dimension}};
  spec.network.model = &fluid_model;
  spec.system.edit() = {};
  spec.system.edit().algorithms.fill({AlgorithmChoice{&ring_algorithm}});
  spec.system.edit().queues_per_dimension = 2;
  Layer layer;
  layer.name = "gradients";
  layer.weight_gradient.collective = CollectiveKind::all_reduce;
  layer.weight_gradient.size = Bytes(1'000'000);
  LayerTable table;
  table.layers = {layer, layer};
  spec.workload = std::make_shared<const LayerTableWorkload>(table);
  Warnings warnings;
  const Recording one = carry_out(spec, warnings).recording, all = carry_out(spec, warnings, false).recording;
  EXPECT_TRUE(one.folded);
  EXPECT_EQ(one.end(), all.end());
}

// What NPU 0 sends and what it receives pass the same cores as those of all others would.
TEST(FoldedGraphs, RunsBehindHostStacksTakeAsLongAsEveryMessageSlow) {
  const auto behind_a_stack = [](Random& random, RunSpec& spec) {
    HostStack stack;
    stack.send = Time::from_ns(random.between(0, 3000));
    stack.receive = Time::from_ns(random.between(0, 3000));
    stack.cores = random.between(0, 2);
    stack.packet = Bytes(4096);
    if (stack.cores > 0) stack.copying = Bandwidth::from_gb_per_s(random.between(1, 64));
    stack.card = Bandwidth::from_gb_per_s(random.between(1, 64));
    spec.network.options = {option_of(stack)};
    return on_dimensions(random, spec);
  };
  EXPECT_GT(compare(native_dialect, behind_a_stack, many()), 100);
}

// There, the two ways around a ring have links of their own.
TEST(FoldedGraphs, DimensionsOfOneLinkPerMessageTakeAsLongAsEveryMessageSlow) {
  Dialect dialect;
  dialect.one_link_per_message = true;
  EXPECT_GT(compare(dialect, on_dimensions, many()), 100);
}

}  // namespace
}  // namespace orrery::core::test::folded_graphs_test
