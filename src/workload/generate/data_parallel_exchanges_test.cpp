#include "workload/generate/data_parallel_exchanges.hpp"

#include <gtest/gtest.h>

#include "workload/astra1/training_loops.hpp"
#include "workload/generate/gradient_buckets.hpp"

namespace orrery::core::data_parallel_exchanges_test {
namespace {

// Three layers of 1, 0 and 4 MiB of gradients; the last has two arrays of parameters.
LayerTable three_layers(const DataParallelTraining& ddp) {
  LayerTable table;
  for (const std::uint64_t mib : {1, 0, 4}) {
    Layer layer;
    layer.name = "layer" + std::to_string(table.layers.size());
    if (mib > 0) {
      layer.weight_gradient.collective = CollectiveKind::all_reduce;
      layer.weight_gradient.size = Bytes(mib << 20);
    }
    table.layers.push_back(layer);
  }
  table.layers.back().arrays = 2;
  table.ddp = ddp;
  return table;
}

// The collectives in the order of their issue, as kind and MiB, and `|` where a training step ends.
std::string exchanges(const LayerTable& table, int steps) {
  const ExecutionGraph graph = training_graph(table, {}, steps, native_dialect, {});
  std::string text;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    if (graph[id].kind == OperationKind::collective)
      text += std::string(name_of(graph[id].collective.kind)) + " " +
              std::to_string(graph[id].collective.size.count()) + " ";
    if (graph[id].kind == OperationKind::pass_end) text += "| ";
  }
  return text;
}

int computations(const LayerTable& table, int steps) {
  const ExecutionGraph graph = training_graph(table, {}, steps, native_dialect, {});
  int count = 0;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) count += graph[id].kind == OperationKind::compute;
  return count;
}

constexpr const char* gradients = "all-reduce 4194304 all-reduce 1048576 ";

TEST(DataParallelExchanges, Rank0SendsTheStatesOnce) {
  const LayerTable table = with_data_parallel_exchanges(three_layers({}));
  EXPECT_EQ(exchanges(table, 2), std::string("broadcast 5242880 ") + gradients + "| " + gradients + "| ");
  const LayerTable without = with_data_parallel_exchanges(three_layers({.broadcasts_states = false}));
  EXPECT_EQ(exchanges(without, 2), std::string(gradients) + "| " + gradients + "| ");
}

TEST(DataParallelExchanges, TheFirstForwardPassWaitsForTheStates) {
  const ExecutionGraph graph =
      training_graph(with_data_parallel_exchanges(three_layers({})), {}, 1, native_dialect, {});
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    if (graph[id].kind != OperationKind::compute) continue;
    const auto waits = graph.predecessors(id).subspan(1);
    ASSERT_EQ(waits.size(), 1u);
    EXPECT_EQ(graph[waits[0]].collective.kind, CollectiveKind::broadcast);
    return;
  }
}

// The map has 4 bytes for each of three arrays and follows the gradients.
TEST(DataParallelExchanges, UsedParametersAreAddedUpBehindTheGradients) {
  const LayerTable table = with_data_parallel_exchanges(
      three_layers({.broadcasts_states = false, .finds_unused_parameters = true}));
  EXPECT_EQ(exchanges(table, 2),
            std::string(gradients) + "all-reduce 12 | " + gradients + "all-reduce 12 | ");
}

TEST(DataParallelExchanges, OnlyTheLastMicroBatchExchanges) {
  const DataParallelTraining four{.broadcasts_states = false, .micro_batches = 4};
  const LayerTable table = with_data_parallel_exchanges(three_layers(four));
  EXPECT_EQ(exchanges(table, 2), std::string(gradients) + "| " + gradients + "| ");
  const LayerTable one = with_data_parallel_exchanges(three_layers({.broadcasts_states = false}));
  EXPECT_EQ(computations(table, 2), 4 * computations(one, 2));
}

TEST(DataParallelExchanges, BucketsKeepTheStates) {
  LayerTable table = three_layers({});
  table.gradient_buckets = GradientBuckets{Bytes(100 << 20), Bytes(100 << 20), {}};
  EXPECT_EQ(exchanges(in_buckets(with_data_parallel_exchanges(table)), 1),
            "broadcast 5242880 all-reduce 5242880 | ");
}

TEST(DataParallelExchanges, TablesThatAreNotTrainedSoStayAsTheyAre) {
  LayerTable table = three_layers({});
  table.ddp.reset();
  EXPECT_EQ(exchanges(with_data_parallel_exchanges(table), 1), std::string(gradients) + "| ");
}

}  // namespace
}  // namespace orrery::core::data_parallel_exchanges_test
