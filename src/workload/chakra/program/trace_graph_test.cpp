#include "workload/chakra/program/trace_graph.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/chakra/dependencies/trace_index.hpp"

namespace orrery::core::chakra {
namespace {

using Ids = std::vector<std::uint64_t>;
using Positions = std::vector<std::uint32_t>;

struct Entry {
  std::uint64_t id;
  Ids parents;
};

// Each node's duration is its place in the list.
Trace trace_of(const std::vector<Entry>& entries) {
  Trace trace;
  trace.texts = {"", "t"};
  for (const Entry& entry : entries) {
    Node node;
    node.id = entry.id;
    node.duration_us = trace.nodes.size();
    trace.nodes.push_back(node, "n");
    trace.first_parent.push_back(trace.parents.size());
    trace.parents.insert(trace.parents.end(), entry.parents.begin(), entry.parents.end());
    trace.data_parents.push_back(0);
  }
  trace.first_parent.push_back(trace.parents.size());
  return trace;
}

void expect_error(const std::vector<Entry>& entries, const std::string& text) {
  try {
    make_graph(trace_of(entries), "t.et");
    ADD_FAILURE() << "accepted, should be: " << text;
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("t.et: error: " + text, 0), 0u) << error.what();
  }
}

TEST(ChakraTraceGraph, OrdersNodesByIdAndCountsEveryParentOnce) {
  const TraceGraph graph = make_graph(trace_of({{30, {10, 20, 10}}, {10, {}}, {20, {10}}, {5, {}}}), "t.et");
  ASSERT_EQ(graph.nodes.size(), 4u);
  Ids ids;
  for (const Node node : graph.nodes) ids.push_back(node.id);
  EXPECT_EQ(ids, (Ids{5, 10, 20, 30}));
  EXPECT_EQ(*graph.parents, (GraphEdges{{0, 0, 0, 1, 3}, {1, 1, 2}}));
  EXPECT_EQ(graph.nodes.name(0), "n");
}

TEST(ChakraTraceGraph, MergesNodesOfTheSameId) {
  Trace trace = trace_of({{7, {1}}, {1, {}}, {7, {2, 1}}, {2, {}}, {2, {1}}});
  trace.tensors = {{0, {{1, 8}}, {}}, {3, {{1, 9}}, {}}, {4, {}, {}}};
  trace.metadata = {{1, "one"}, {2, "seven"}};
  const TraceGraph graph = make_graph(trace, "t.et");
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[1].duration_us, 4u);
  EXPECT_EQ(graph.nodes[2].duration_us, 2u);
  EXPECT_EQ(*graph.parents, (GraphEdges{{0, 0, 1, 3}, {0, 0, 1}}));
  // The merged node lacks whatever the last node of its id lacks.
  EXPECT_EQ(graph.tensors, (std::vector<Trace::NodeTensors>{{1, {}, {}}}));
  EXPECT_EQ(graph.metadata, (std::vector<Trace::NodeValues>{{0, "one"}, {2, "seven"}}));
}

TEST(ChakraTraceGraph, CountsMissingParentsAsDone) {
  const TraceGraph graph =
      make_graph(trace_of({{1, {}}, {4, {0, 0, 1}}, {2, {3, 18446744073709551615u}}}), "t.et");
  EXPECT_EQ(*graph.parents, (GraphEdges{{0, 0, 0, 1}, {0}}));
  EXPECT_EQ(graph.doubts.missing_parents,
            (std::vector<TraceIndex::Missing>{{2, 3}, {2, 18446744073709551615u}, {4, 0}}));
}

TEST(ChakraTraceGraph, RejectsWhatNeverStarts) {
  expect_error({}, "the trace holds no nodes");
  expect_error({{3, {3}}}, "no node can start: node 3 waits for itself, ");
  expect_error({{5, {3}}, {3, {5}}}, "no node can start: nodes 3 -> 5 -> 3 wait for each other, ");
  expect_error({{1, {}}, {5, {3, 1}}, {3, {5}}, {9, {5}}}, "nodes 3 -> 5 -> 3 wait for each other, ");
  expect_error({{1, {}}, {2, {1, 4}}, {3, {2}}, {4, {3}}}, "nodes 2 -> 4 -> 3 -> 2 wait for each other, ");
  std::vector<Entry> ring;
  for (std::uint64_t id = 0; id < 50; ++id) ring.push_back({id, {(id + 1) % 50}});
  expect_error(
      ring,
      "no node can start: nodes 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> ... (50 nodes) -> 0 ");
}

std::vector<Ids> cycles_of(const std::vector<Entry>& entries) {
  Trace trace = trace_of(entries);
  const TraceIndex index = take_index(trace);
  std::vector<Ids> out;
  for (const auto& cycle : find_cycles(index)) {
    out.emplace_back();
    for (const std::uint32_t position : cycle) out.back().push_back(index.ids[position]);
  }
  return out;
}

TEST(ChakraTraceIndex, FindsTheShortestCycleOfEveryGroup) {
  EXPECT_EQ(cycles_of({{1, {}}, {2, {1}}}), std::vector<Ids>{});
  // Around 1 2 3 4, with short cuts 4 -> 2 -> 3 and 3 -> 4 -> 3; a group of three; one on its own.
  EXPECT_EQ(cycles_of({{1, {2}},
                       {2, {3}},
                       {3, {4}},
                       {4, {1, 2, 3}},
                       {20, {21, 1}},
                       {21, {22}},
                       {22, {20}},
                       {30, {30, 20}},
                       {40, {30}}}),
            (std::vector<Ids>{{30}, {3, 4}, {20, 21, 22}}));
}

TEST(ChakraTraceIndex, FindsCyclesInLargeTraces) {
  // The ring has many nodes, too long for recursion, and it is the same with short cuts.
  std::vector<Entry> ring;
  constexpr std::uint64_t nodes = 200'000;
  for (std::uint64_t id = 0; id < nodes; ++id) ring.push_back({id, {(id + 1) % nodes}});
  const auto cycles = cycles_of(ring);
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_EQ(cycles[0].size(), nodes);
  for (std::uint64_t id = 0; id < nodes; ++id) ring[id].parents.push_back((id + nodes - 1) % nodes);
  EXPECT_EQ(cycles_of(ring), (std::vector<Ids>{{0, 1}}));
}

TEST(ChakraTraceIndex, PutsParentsBeforeChildren) {
  Trace trace = trace_of({{1, {9}}, {2, {3}}, {3, {2}}, {4, {3}}, {8, {1}}, {9, {}}});
  const TraceIndex index = take_index(trace);
  EXPECT_EQ(in_order_of_dependencies(index), (Positions{5, 0, 4}));
}

}  // namespace
}  // namespace orrery::core::chakra
