#include "workload/chakra/conversion/graph_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "support/change_node.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core::chakra {
namespace {

// Computes for 1.5 us, issues an all-reduce and waits for it.
RecordedGraph small_graph() {
  RecordedGraph recorded;
  recorded.passes = 2;
  recorded.dimensions = 3;
  recorded.split = DimensionSplit{1, 4};
  recorded.graph.layer_names = {"a layer, named"};
  Operation begin;
  begin.kind = OperationKind::begin;
  const auto first = recorded.graph.add(begin, {});
  Operation compute;
  compute.layer = 0;
  compute.pass = Pass::weight_gradient;
  compute.iteration = 2;
  compute.duration = Time::from_ns(1500);
  const auto second = recorded.graph.add(compute, std::vector{first});
  Operation reduce = compute;
  reduce.kind = OperationKind::collective;
  reduce.duration = Time();
  reduce.collective = {CollectiveKind::all_reduce, Bytes(1 << 20), DimensionSet(0b101), true};
  reduce.delay = Time::from_ns(7);
  const auto third = recorded.graph.add(reduce, std::vector{second});
  Operation end;
  end.kind = OperationKind::end;
  end.iteration = 3;
  recorded.graph.add(end, std::vector{second, third});
  return recorded;
}

Trace small_trace() {
  return trace_of(small_graph());
}

std::string error_of(const Trace& trace) {
  try {
    recorded_graph(trace, "t.et");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GraphTrace, IsWhatOtherSimulatorsRead) {
  const Trace trace = small_trace();
  ASSERT_EQ(trace.nodes.size(), 4u);
  EXPECT_TRUE(trace.nodes[0].on_cpu);
  EXPECT_EQ(trace.nodes[1].type, NodeType::compute);
  EXPECT_FALSE(trace.nodes[1].on_cpu);
  EXPECT_EQ(trace.nodes[1].duration_us, 2u);
  EXPECT_EQ(trace.nodes[1].duration_ps, 1'500'000u);
  EXPECT_EQ(trace.nodes.name(1), "a layer, named weight-gradient compute");
  EXPECT_EQ(trace.nodes[2].type, NodeType::collective);
  EXPECT_EQ(trace.nodes[2].comm_type, CommType::all_reduce);
  EXPECT_EQ(trace.nodes[2].comm_size, 1u << 20);
  EXPECT_EQ(trace.nodes[2].involved_count, 3);
  EXPECT_EQ(trace.nodes[2].involved_dims, 0b101);
  EXPECT_EQ(trace.parents_of(3).size(), 2u);
}

TEST(GraphTrace, ComesBackWithoutLoss) {
  const RecordedGraph made = small_graph();
  const RecordedGraph read = recorded_graph(read_trace(write_trace(small_trace()), "t.et"), "t.et");
  EXPECT_EQ(read.passes, 2);
  EXPECT_EQ(read.dimensions, 3);
  ASSERT_TRUE(read.split);
  EXPECT_EQ(read.split->physical, 1);
  EXPECT_EQ(read.split->first, 4);
  EXPECT_EQ(read.graph.layer_names, made.graph.layer_names);
  ASSERT_EQ(read.graph.size(), made.graph.size());
  for (ExecutionGraph::Id id = 0; id < made.graph.size(); ++id) {
    const Operation &a = made.graph[id], &b = read.graph[id];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.pass, b.pass);
    EXPECT_EQ(a.layer, b.layer);
    EXPECT_EQ(a.iteration, b.iteration);
    EXPECT_EQ(a.duration, b.duration);
    EXPECT_EQ(a.delay, b.delay);
    EXPECT_EQ(a.collective.kind, b.collective.kind);
    EXPECT_EQ(a.collective.size, b.collective.size);
    EXPECT_EQ(a.collective.dimensions, b.collective.dimensions);
    EXPECT_EQ(a.collective.urgent, b.collective.urgent);
    EXPECT_TRUE(std::ranges::equal(made.graph.predecessors(id), read.graph.predecessors(id)));
  }
}

TEST(GraphTrace, RejectsWhatItDidNotWrite) {
  Trace trace = small_trace();
  trace.operations.pop_back();
  EXPECT_NE(error_of(trace).find("not written by `orrery convert`"), std::string::npos);
}

TEST(GraphTrace, SaysWhichNodeIsDamaged) {
  const auto damaged = [](std::size_t node, std::size_t word, const std::string& text) {
    Trace trace = small_trace();
    trace.operations[node].words[word] = text;
    return error_of(trace);
  };
  EXPECT_NE(damaged(1, 0, "compte").find("t.et: error: node 1: "), std::string::npos) << damaged(1, 0, "x");
  EXPECT_NE(damaged(1, 1, "sideways"), "");
  EXPECT_NE(damaged(1, 2, "-1"), "");
  EXPECT_NE(damaged(1, 0, "collective"), "");
  EXPECT_NE(damaged(1, 3, "1"), "");
  EXPECT_NE(damaged(2, 4, "soon"), "");
  EXPECT_NE(damaged(2, 5, "99999999999999999999"), "");
  EXPECT_NE(damaged(0, 1, "-1"), "");
  EXPECT_NE(damaged(0, 2, "2"), "");
  EXPECT_NE(damaged(0, 2, "11"), "");
  EXPECT_NE(damaged(3, 0, "begin"), "");
  Trace trace = small_trace();
  trace.parents.back() = 9;
  EXPECT_NE(error_of(trace).find("waits for node 9"), std::string::npos);
  trace = small_trace();
  test::change_node(trace.nodes, 2, [](Node& node) { node.id = 7; });
  EXPECT_NE(error_of(trace).find("node 7 stands where node 2 has to be"), std::string::npos);
}

TEST(GraphTrace, IsToldFromText) {
  EXPECT_TRUE(looks_like_trace(write_trace(small_trace())));
  EXPECT_TRUE(looks_like_trace("\x1f\x8b\x08"));
  EXPECT_FALSE(looks_like_trace("DATA\r\n\t16\n"));
  EXPECT_FALSE(looks_like_trace(""));
}

}  // namespace
}  // namespace orrery::core::chakra
