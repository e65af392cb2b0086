#include "program/execution_graph.hpp"

#include <gtest/gtest.h>

namespace orrery {
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

}  // namespace
}  // namespace orrery
