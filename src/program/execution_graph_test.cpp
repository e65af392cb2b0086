#include "program/execution_graph.hpp"

#include <gtest/gtest.h>

namespace orrery::core::execution_graph_test {
namespace {

using Ids = std::vector<ExecutionGraph::Id>;

Ids ids(std::span<const ExecutionGraph::Id> span) {
  return {span.begin(), span.end()};
}

Operation of_layer(std::int32_t layer) {
  return {OperationKind::compute, Pass::forward, layer, 0, Time::from_ns(1), {}, {}};
}

TEST(ExecutionGraph, StartsEmpty) {
  const ExecutionGraph graph;
  EXPECT_EQ(graph.size(), 0u);
  EXPECT_TRUE(graph.successors().ids.empty());
}

// A diamond: 0, then 1 and 2, then 3, which names its program-order predecessor first.
TEST(ExecutionGraph, KeepsOperationsAndPredecessorsInOrder) {
  ExecutionGraph graph;
  EXPECT_EQ(graph.add(of_layer(0), {}), 0u);
  EXPECT_EQ(graph.add(of_layer(1), Ids{0}), 1u);
  EXPECT_EQ(graph.add(of_layer(2), Ids{0}), 2u);
  EXPECT_EQ(graph.add(of_layer(3), Ids{2, 1}), 3u);
  ASSERT_EQ(graph.size(), 4u);
  EXPECT_EQ(graph[2].layer, 2);
  EXPECT_TRUE(graph.predecessors(0).empty());
  EXPECT_EQ(ids(graph.predecessors(1)), (Ids{0}));
  EXPECT_EQ(ids(graph.predecessors(3)), (Ids{2, 1}));
}

TEST(ExecutionGraph, ListsSuccessorsByIncreasingId) {
  ExecutionGraph graph;
  graph.add(of_layer(0), {});
  graph.add(of_layer(1), Ids{0});
  graph.add(of_layer(2), Ids{1, 0});
  graph.add(of_layer(3), Ids{2, 0});
  const auto successors = graph.successors();
  EXPECT_EQ(ids(successors.of(0)), (Ids{1, 2, 3}));
  EXPECT_EQ(ids(successors.of(1)), (Ids{2}));
  EXPECT_EQ(ids(successors.of(2)), (Ids{3}));
  EXPECT_TRUE(successors.of(3).empty());
}

// Operations are packed, and what only some have stands apart.
TEST(ExecutionGraph, GivesOperationsBackAsTheyWereAdded) {
  ExecutionGraph graph;
  graph.add({.kind = OperationKind::begin}, {});
  CollectiveRequest request;
  request.kind = CollectiveKind::all_gather;
  request.size = Bytes(8);
  request.priority = 3;
  graph.add({.kind = OperationKind::collective,
             .pass = Pass::weight_gradient,
             .collective = request,
             .delay = Time::from_ns(2)},
            Ids{0});
  graph.add({.layer = 4,
             .iteration = 1,
             .duration = Time::from_ns(7),
             .micro_batch = 2,
             .background = true,
             .slot = Slot::host},
            Ids{0});
  graph.add({.kind = OperationKind::send, .message = {5, 6, Bytes(9), 1}}, Ids{2});
  graph.add(
      {.kind = OperationKind::collective, .duration = Time::from_ns(3), .collective = request, .timed = true},
      Ids{2});
  EXPECT_EQ(graph[1].collective, request);
  EXPECT_EQ(graph[1].delay, Time::from_ns(2));
  EXPECT_EQ(graph[1].pass, Pass::weight_gradient);
  EXPECT_EQ(graph[1].layer, -1);
  EXPECT_EQ(graph[2].duration, Time::from_ns(7));
  EXPECT_EQ(graph[2].layer, 4);
  EXPECT_EQ(graph[2].iteration, 1);
  EXPECT_EQ(graph[2].micro_batch, 2);
  EXPECT_TRUE(graph[2].background);
  EXPECT_EQ(graph[2].slot, Slot::host);
  EXPECT_EQ(graph[3].message.peer, 5u);
  EXPECT_EQ(graph[3].message.tag, 6u);
  EXPECT_EQ(graph[3].message.size, Bytes(9));
  EXPECT_EQ(graph[3].message.connection, 1u);
  EXPECT_EQ(graph[3].layer, -1);
  EXPECT_EQ(graph[4].collective, request);
  EXPECT_EQ(graph[4].duration, Time::from_ns(3));
  EXPECT_EQ(graph[4].delay, Time());
}

TEST(ExecutionGraph, KeepsWhatCollectivesAskForOnce) {
  ExecutionGraph graph;
  for (const std::uint64_t bytes : {8, 16, 8}) {
    Operation operation{.kind = OperationKind::collective};
    operation.collective.size = Bytes(bytes);
    graph.add(operation, {});
  }
  EXPECT_EQ(graph.collectives().size(), 2u);
  EXPECT_EQ(graph.collective_number(0), graph.collective_number(2));
  EXPECT_EQ(graph.collective(1).size, Bytes(16));
}

TEST(ExecutionGraph, ACopyGrowsByItself) {
  ExecutionGraph graph;
  graph.add(of_layer(0), {});
  ExecutionGraph copy = graph;
  copy.add(of_layer(1), Ids{0});
  graph.add(of_layer(2), {});
  EXPECT_EQ(ids(copy.predecessors(1)), (Ids{0}));
  EXPECT_TRUE(graph.predecessors(1).empty());
  EXPECT_EQ(copy[1].layer, 1);
}

TEST(ExecutionGraph, KnowsNamesAndNumbersOfUsers) {
  ExecutionGraph graph(std::make_shared<GraphEdges>(GraphEdges{{0, 0, 1, 2}, {0, 0}}));
  graph.append({}, "a", 7);
  graph.append({}, "", 8);
  graph.append({}, "long name", 20);
  ASSERT_EQ(graph.size(), 3u);
  EXPECT_TRUE(graph.is_named());
  EXPECT_EQ(graph.name(0), "a");
  EXPECT_EQ(graph.name(1), "");
  EXPECT_EQ(graph.name(2), "long name");
  EXPECT_EQ(graph.number(0), 7u);
  EXPECT_EQ(graph.number(1), 8u);
  EXPECT_EQ(graph.number(2), 20u);
  EXPECT_EQ(ids(graph.predecessors(2)), (Ids{0}));
}

}  // namespace
}  // namespace orrery::core::execution_graph_test
