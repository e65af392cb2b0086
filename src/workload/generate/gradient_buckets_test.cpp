#include "workload/generate/gradient_buckets.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "workload/astra1/training_loops.hpp"
#include "workload/models/model_catalogue.hpp"
#include "workload/models/network_layer_table.hpp"

namespace orrery::core::gradient_buckets_test {
namespace {

constexpr std::uint64_t mib = 1 << 20;

// Gradients in MiB, 0: none.
LayerTable bucket_table(const std::vector<std::uint64_t>& gradients, std::uint64_t size,
                        std::uint64_t first) {
  LayerTable table;
  for (const std::uint64_t count : gradients) {
    Layer layer;
    layer.name = "layer" + std::to_string(table.layers.size());
    layer.weight_gradient.compute = Time::from_ns(100);
    if (count > 0) {
      layer.weight_gradient.collective = CollectiveKind::all_reduce;
      layer.weight_gradient.size = Bytes(count * mib);
    }
    table.layers.push_back(layer);
  }
  table.gradient_buckets = GradientBuckets{Bytes(size * mib), Bytes(first * mib), {}};
  return table;
}

// Returns the size that each layer exchanges, in MiB.
std::vector<std::uint64_t> exchanged(const LayerTable& table) {
  std::vector<std::uint64_t> sizes;
  for (const Layer& layer : table.layers) {
    EXPECT_EQ(layer.weight_gradient.collective.has_value(), layer.weight_gradient.size > Bytes());
    sizes.push_back(layer.weight_gradient.size.count() / mib);
  }
  return sizes;
}

using Sizes = std::vector<std::uint64_t>;

TEST(GradientBuckets, AreFilledFromTheLastLayerOn) {
  EXPECT_EQ(exchanged(in_buckets(bucket_table({3, 4, 5, 6, 2}, 10, 1))), (Sizes{7, 0, 11, 0, 2}));
  // The first bucket is full with two layers; what is left makes the last one.
  EXPECT_EQ(exchanged(in_buckets(bucket_table({1, 2, 3, 4}, 5, 6))), (Sizes{3, 0, 7, 0}));
}

TEST(GradientBuckets, ALayerLargerThanABucketClosesIt) {
  EXPECT_EQ(exchanged(in_buckets(bucket_table({1, 100, 2, 100}, 25, 1))), (Sizes{1, 102, 0, 100}));
}

TEST(GradientBuckets, LayersWithoutGradientsStayWithout) {
  EXPECT_EQ(exchanged(in_buckets(bucket_table({0, 3, 0, 3, 0}, 100, 100))), (Sizes{0, 6, 0, 0, 0}));
  EXPECT_EQ(exchanged(in_buckets(bucket_table({0, 0}, 100, 100))), (Sizes{0, 0}));
}

TEST(GradientBuckets, WithoutAnyTheTableStaysAsItIs) {
  LayerTable table = bucket_table({1, 2, 3}, 1, 1);
  table.gradient_buckets.reset();
  EXPECT_EQ(exchanged(in_buckets(table)), (Sizes{1, 2, 3}));
}

TEST(GradientBuckets, OtherCollectivesAreErrors) {
  LayerTable table = bucket_table({1, 2}, 1, 1);
  table.layers[0].weight_gradient.collective = CollectiveKind::reduce_scatter;
  EXPECT_THROW(in_buckets(table), InputError);
}

// VGG-16 in fp32, by hand from its parameters. In MiB: fc8 15.6, above the first bucket's 1; fc7 64; fc6 392;
// three of conv5 9 each, 27; conv4 9, 9 and 4.5, conv3_3 2.25, which is 24.76, and conv3_2 2.25; the rest.
TEST(GradientBuckets, OfVgg16) {
  LayerTableOptions options;
  options.flops_per_second = 1e14;
  options.bytes_per_element = 4;
  const FoundFile file = find_model_file("vgg16", {}, no_files());
  LayerTable table = layer_table_of(read_neural_network(file.text, file.name, {}), options);
  table.gradient_buckets.emplace();
  std::vector<std::pair<std::string, std::uint64_t>> buckets;
  for (const Layer& layer : in_buckets(table).layers)
    if (layer.weight_gradient.collective)
      buckets.emplace_back(layer.name, layer.weight_gradient.size.count() / 4);
  const std::uint64_t wide = 9 * 512 * 512 + 512, half = 9 * 256 * 512 + 512, narrow = 9 * 256 * 256 + 256;
  const std::uint64_t fc1 = 25088 * 4096 + 4096, fc2 = 4096 * 4096 + 4096, fc3 = 4096 * 1000 + 1000;
  const std::uint64_t rest = 138357544 - fc1 - fc2 - fc3 - 5 * wide - half - 2 * narrow;
  std::vector<std::uint64_t> sizes;
  for (const auto& [name, size] : buckets) sizes.push_back(size);
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{rest, 2 * wide + half + 2 * narrow, 3 * wide, fc1, fc2, fc3}));
  EXPECT_EQ(buckets[1].first, table.layers[5].name);
  EXPECT_EQ(buckets[2].first, table.layers[10].name);
}

// Whatever `id` has to wait for, directly or not.
std::set<ExecutionGraph::Id> ancestors_of(const ExecutionGraph& graph, ExecutionGraph::Id id) {
  std::set<ExecutionGraph::Id> found;
  std::vector<ExecutionGraph::Id> open{id};
  while (!open.empty()) {
    const ExecutionGraph::Id next = open.back();
    open.pop_back();
    for (const ExecutionGraph::Id predecessor : graph.predecessors(next))
      if (found.insert(predecessor).second) open.push_back(predecessor);
  }
  return found;
}

TEST(GradientBuckets, EveryLayerOfABucketWaitsForItInTheNextPass) {
  const LayerTable table = in_buckets(bucket_table({1, 2, 3, 0, 4}, 5, 2));
  const ExecutionGraph graph = training_graph(table, GroupLayout(), 2, native_dialect, {});
  // Layers 1 and 2 share a bucket, 0 and 4 have their own.
  const std::vector<std::int32_t> exchanged_by{0, 1, 1, -1, 4};
  int checked = 0;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    const Operation& forward = graph[id];
    if (forward.kind != OperationKind::compute || forward.pass != Pass::forward || forward.iteration != 1)
      continue;
    if (exchanged_by[forward.layer] < 0) continue;
    bool waits = false;
    for (const ExecutionGraph::Id before : ancestors_of(graph, id))
      waits |= graph[before].kind == OperationKind::collective && graph[before].iteration == 0 &&
               graph[before].layer == exchanged_by[forward.layer];
    EXPECT_TRUE(waits) << forward.layer;
    ++checked;
  }
  EXPECT_EQ(checked, 4);
}

}  // namespace
}  // namespace orrery::core::gradient_buckets_test
