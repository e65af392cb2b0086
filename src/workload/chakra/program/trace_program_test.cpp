#include "workload/chakra/program/trace_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/ids.hpp"

namespace orrery::core::trace_program_test {
namespace {

using chakra::Node;
using chakra::NodeType;

// Four NPUs behind a switch.
class TracePrograms : public testing::Test {
 protected:
  TracePrograms() {
    Dimension dimension;
    dimension.size = 4;
    topology.dimensions = {dimension};
  }

  // The nodes have ids from 1 on, and wait for nothing.
  static RankTrace trace_of(const std::vector<Node>& nodes) {
    auto graph = std::make_shared<chakra::TraceGraph>();
    GraphEdges parents;
    for (Node node : nodes) {
      node.id = graph->nodes.size() + 1;
      graph->nodes.push_back(node, "n");
      parents.end_list();
    }
    graph->parents = std::make_shared<GraphEdges>(parents);
    graph->texts = {"", "7"};
    return {graph, "t.et", nullptr};
  }
  static Node compute(std::uint64_t us, bool on_cpu = false) {
    Node node;
    node.type = NodeType::compute;
    node.duration_us = us;
    node.on_cpu = on_cpu;
    return node;
  }
  static Node reduce_in_7() {
    Node node;
    node.type = NodeType::collective;
    node.comm_size = 8;
    node.pg_name = 1;
    node.has = chakra::has_comm_type | chakra::has_comm_size | chakra::has_pg_name;
    return node;
  }
  static Node metadata() {
    Node node;
    node.type = NodeType::metadata;
    return node;
  }

  TraceProgram program_of(const std::vector<RankTrace>& traces) const {
    return make_trace_program(traces, {topology, streams, memory}, rules);
  }

  Topology topology;
  SystemConfig streams;
  RemoteMemory memory;
  TraceRules rules;
};

TEST_F(TracePrograms, HaveAPartForEachGraph) {
  const RankTrace a = trace_of({compute(1)}), b = trace_of({compute(2), compute(3, true)});
  const TraceProgram made = program_of({a, b, a, a});
  ASSERT_EQ(made.program.parts.size(), 2u);
  EXPECT_EQ(made.program.parts[0].ranks, test::ids<RankId>({0, 2, 3}));
  EXPECT_EQ(made.program.parts[0].name, "rank 0 and 2 more");
  EXPECT_EQ(made.program.parts[1].name, "rank 1");
  EXPECT_EQ(made.part_of, (std::vector<std::uint32_t>{0, 1, 0, 0}));
  EXPECT_EQ(made.program.file_of(RankId(3)), "t.et");
  EXPECT_EQ(made.facts_of(RankId(1)).gpu_time, Time::from_ns(2000));  // without what is on the CPU
  EXPECT_EQ(made.graph_of(RankId(1)).duration(1), Time::from_ns(3000));
  EXPECT_EQ(made.graph_of(RankId(1)).slot(1), Slot::host);
  EXPECT_TRUE(program_of({a, a, a, a}).program.is_uniform());
}

// Where a group has several definitions, a collective means the last one before it, or else the first.
TEST_F(TracePrograms, MeanTheGroupThatTheTraceDefinesBefore) {
  RankTrace trace = trace_of({reduce_in_7(), metadata(), reduce_in_7(), metadata(), reduce_in_7()});
  trace.process_groups =
      std::make_shared<ProcessGroups>(ProcessGroups{{1, {{7, {0, 1}}}}, {3, {{7, {1, 0, 2}}}}});
  rules.groups[7] = {0, 3};
  const TraceProgram made = program_of({trace, trace, trace_of({compute(1)}), trace_of({compute(1)})});
  const auto members = [&](std::uint32_t node) {
    return made.program.communicators[made.graph_of(RankId(0)).collective(node).communicator].members;
  };
  EXPECT_EQ(members(0), test::ids<RankId>({0, 1}));
  EXPECT_EQ(members(2), test::ids<RankId>({0, 1}));
  EXPECT_EQ(members(4), test::ids<RankId>({1, 0, 2}));
  EXPECT_EQ(made.program.communicators[made.graph_of(RankId(0)).collective(0).communicator].tags, 8'000'000u);
}

TEST_F(TracePrograms, OfTheGroupFileHaveItsTags) {
  rules.groups[7] = {3, 0};
  const RankTrace member = trace_of({reduce_in_7()}), other = trace_of({compute(1)});
  const TraceProgram made = program_of({member, other, other, member});
  const Communicator& group = made.program.communicators[made.graph_of(RankId(0)).collective(0).communicator];
  EXPECT_EQ(group.members, test::ids<RankId>({3, 0}));
  EXPECT_EQ(group.tags, 7'000'000u);
}

// A mistake that only concerns one of the ranks that share a trace is found for that rank.
TEST_F(TracePrograms, AreCheckedForEachRankOfASharedTrace) {
  rules.groups[7] = {0, 1};
  const RankTrace trace = trace_of({compute(1), reduce_in_7()});
  try {
    program_of({trace, trace, trace, trace});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("of which rank 2 is no member"), std::string::npos)
        << error.what();
  }
  std::vector<std::string> faults;
  const TraceHost host{topology, streams, memory};
  TraceProgramBuilder builder(host, rules, [&](const InputError& error) { faults.push_back(error.what()); });
  for (int rank = 0; rank < 4; ++rank) builder.add(trace);
  EXPECT_EQ(faults.size(), 2u);
}

TEST_F(TracePrograms, UnderReplayTakeStatedTimes) {
  rules.replay_only = true;
  Node reduce = reduce_in_7();
  reduce.duration_us = 5;
  const RankTrace trace = trace_of({compute(1), reduce});
  const TraceProgram made = program_of({trace, trace, trace, trace});
  EXPECT_TRUE(made.graph_of(RankId(0)).is_timed(1));
  EXPECT_EQ(made.facts_of(RankId(0)).gpu_time, Time::from_ns(6000));
}

}  // namespace
}  // namespace orrery::core::trace_program_test
