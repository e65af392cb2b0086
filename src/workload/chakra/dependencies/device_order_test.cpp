#include "workload/chakra/dependencies/device_order.hpp"

#include <gtest/gtest.h>

#include "workload/chakra/program/trace_graph.hpp"

namespace orrery::core::chakra::device_order_test {
namespace {

using Ids = std::vector<std::uint64_t>;

struct Entry {
  std::uint64_t id;
  NodeType type;
  bool on_cpu;
  std::int64_t stream;
  std::uint64_t start;
  Ids parents;
};

constexpr NodeType compute = NodeType::compute, collective = NodeType::collective;

Trace trace_of(const std::vector<Entry>& entries) {
  Trace trace;
  trace.texts = {""};
  for (const Entry& entry : entries) {
    Node node;
    node.id = entry.id;
    node.type = entry.type;
    node.on_cpu = entry.on_cpu;
    node.stream = entry.stream;
    node.start_us = entry.start;
    node.has = has_stream | has_start;
    trace.nodes.push_back(node);
    trace.first_parent.push_back(trace.parents.size());
    trace.data_parents.push_back(static_cast<std::uint32_t>(entry.parents.size()));
    trace.parents.insert(trace.parents.end(), entry.parents.begin(), entry.parents.end());
  }
  trace.first_parent.push_back(trace.parents.size());
  return trace;
}

DeviceOrder order_of(const std::vector<Entry>& entries) {
  return make_graph(trace_of(entries), "t.et").doubts.order;
}

// Parents by position, which is in order of the ids.
GraphEdges chained(const std::vector<Entry>& entries) {
  return *make_graph(trace_of(entries), "t.et", TraceOrder::recorded).parents;
}

TEST(DeviceOrder, CountsWhatNoNodeOfTheDeviceFollows) {
  const DeviceOrder lost = order_of({{1, compute, true, 0, 0, {}},
                                     {2, compute, true, 0, 0, {1}},
                                     {10, compute, false, 0, 0, {1}},
                                     {11, compute, false, 0, 0, {2}},
                                     {20, collective, false, 0, 0, {}}});
  EXPECT_EQ(lost.nodes, 3u);
  EXPECT_EQ(lost.without_successor, 3u);
  EXPECT_EQ(lost.collectives_without_predecessor, 1u);
  EXPECT_TRUE(lost.is_lost());
  // The host waits for the first kernel, and launches the second.
  const DeviceOrder kept = order_of({{1, compute, true, 0, 0, {}},
                                     {10, compute, false, 0, 0, {1}},
                                     {11, compute, true, 0, 0, {10}},
                                     {12, collective, false, 0, 0, {11}}});
  EXPECT_EQ(kept.without_successor, 1u);
  EXPECT_EQ(kept.collectives_without_predecessor, 0u);
  EXPECT_FALSE(kept.is_lost());
}

TEST(DeviceOrder, IsNotMissedWhereNothingWasRecorded) {
  EXPECT_FALSE(order_of({{1, collective, false, 0, 0, {}}, {2, collective, false, 0, 0, {}}}).is_lost());
  EXPECT_TRUE(order_of({{1, collective, false, 0, 5, {}}, {2, collective, false, 0, 6, {}}}).is_lost());
  EXPECT_FALSE(order_of({{1, compute, true, 0, 0, {}}, {2, collective, false, 0, 0, {1}}}).is_lost());
}

TEST(StreamChains, FollowStartTimesAndThenIds) {
  // Stream 7: 3, 1, 2. Stream 9: 4. Nodes of the host and metadata are in no stream.
  EXPECT_EQ(chained({{1, collective, false, 7, 1100, {}},
                     {2, compute, false, 7, 1150, {}},
                     {3, compute, false, 7, 1000, {}},
                     {4, compute, false, 9, 1000, {}},
                     {5, compute, true, 7, 1, {}},
                     {6, NodeType::metadata, false, 7, 1, {}}}),
            (GraphEdges{{0, 1, 2, 2, 2, 2, 2}, {2, 0}}));
  EXPECT_EQ(
      chained({{3, compute, false, 1, 0, {}}, {8, compute, false, 1, 0, {}}, {9, compute, false, 1, 0, {3}}}),
      (GraphEdges{{0, 0, 1, 3}, {0, 0, 1}}));
}

// The host launches 2 late, but it was recorded before 1, and nothing contradicts that.
TEST(StreamChains, DoNotDependOnWhenTheHostDoesWhat) {
  EXPECT_EQ(
      chained(
          {{1, compute, false, 1, 20, {}}, {2, compute, false, 1, 10, {3}}, {3, compute, true, 0, 500, {}}}),
      (GraphEdges{{0, 1, 2, 2}, {1, 2}}));
}

TEST(StreamChains, YieldToDependencies) {
  const TraceGraph graph = make_graph(trace_of({{1, compute, false, 1, 10, {2}},
                                                {2, compute, false, 2, 20, {3}},
                                                {3, compute, false, 1, 30, {}},
                                                {4, compute, false, 1, 40, {}}}),
                                      "t.et", TraceOrder::recorded);
  EXPECT_EQ(*graph.parents, (GraphEdges{{0, 2, 3, 3, 4}, {1, 2, 2, 0}}));
  EXPECT_EQ(graph.doubts.chains, (ChainedStreams{2, 2, 1, 3, 1}));
}

}  // namespace
}  // namespace orrery::core::chakra::device_order_test
