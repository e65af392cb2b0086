// Collectives of a library on networks of one's own: each takes its closed form.
#include <gtest/gtest.h>

#include "collective/library/network_library.hpp"
#include "program/graph_builder.hpp"
#include "support/one_collective.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::test::library_collectives_test {
namespace {

constexpr double mib = 1 << 20;

Machine machine_with_library(std::vector<Dimension> dimensions) {
  Machine machine = make_machine(std::move(dimensions), {AlgorithmChoice{}}, native_dialect);
  machine.library =
      std::make_shared<const CollectiveLibrary>(library_on(machine.topology, {"nccl", {}, no_files()}));
  return machine;
}

Machine nodes_of_eight() {
  return machine_with_library({make_dimension(Block::switched, 8, 1, Bandwidth::from_gb_per_s(300), 500),
                               make_dimension(Block::switched, 4, 1, Bandwidth::from_gb_per_s(25), 2000)});
}

Time closed_form(const Machine& machine, CollectiveKind kind, double bytes, const GroupPlacement& group) {
  return Time::from_ns_rounded(machine.library->seconds(kind, bytes, group) * 1e9);
}

TEST(LibraryCollectives, TakeTheirClosedForm) {
  const Machine machine = nodes_of_eight();
  for (const CollectiveKind kind :
       {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter, CollectiveKind::all_to_all})
    EXPECT_EQ(simulate_one(machine, kind, Bytes(1 << 20)).end(), closed_form(machine, kind, mib, {32, 8}));
  EXPECT_EQ(simulate_one(machine, CollectiveKind::all_gather, Bytes(1 << 15)).end(),
            closed_form(machine, CollectiveKind::all_gather, mib, {32, 8}));
}

Recording run(const Machine& machine, ExecutionGraph graph, bool fold = true) {
  const Program program = on_all_ranks(std::move(graph), machine.topology);
  return simulate(program, machine, plan_simulation(program, machine, fold));
}

Operation all_reduce(DimensionSet dimensions) {
  return {.kind = OperationKind::collective,
          .layer = 0,
          .collective = {CollectiveKind::all_reduce, Bytes(1 << 20), dimensions}};
}

TEST(LibraryCollectives, OfOneGroupFollowOneAnother) {
  const Machine machine = nodes_of_eight();
  GraphBuilder graph({"layer"});
  for (int i = 0; i < 3; ++i) graph.wait_for(graph.after(graph.last(), all_reduce(DimensionSet().set())));
  const Time one = closed_form(machine, CollectiveKind::all_reduce, mib, {32, 8});
  EXPECT_EQ(run(machine, graph.end()).end(), one * 3);
}

TEST(LibraryCollectives, OfDifferentGroupsDoNotMeet) {
  const Machine machine = nodes_of_eight();
  GraphBuilder graph({"layer"});
  graph.wait_for(graph.after(graph.last(), all_reduce(DimensionSet(1))));
  graph.wait_for(graph.after(graph.last(), all_reduce(DimensionSet(2))));
  EXPECT_EQ(run(machine, graph.end()).end(),
            std::max(closed_form(machine, CollectiveKind::all_reduce, mib, {8, 8}),
                     closed_form(machine, CollectiveKind::all_reduce, mib, {4, 1})));
}

TEST(LibraryCollectives, WaitForTheSlowestOfTheirGroup) {
  Machine machine = nodes_of_eight();
  machine.compute_slowdown.assign(32, 1);
  machine.compute_slowdown[9] = 3;
  GraphBuilder graph({"layer"});
  graph.append({.kind = OperationKind::compute, .layer = 0, .duration = Time::from_ns(1000)});
  graph.wait_for(graph.beside(all_reduce(DimensionSet(1))));
  const ExecutionGraph made = graph.end();
  const Time one = closed_form(machine, CollectiveKind::all_reduce, mib, {8, 8});
  for (const bool fold : {true, false}) {
    const Recording recording = run(machine, made, fold);
    EXPECT_EQ(recording.finish_of(RankId(0)), Time::from_ns(1000) + one);
    EXPECT_EQ(recording.finish_of(RankId(8)), Time::from_ns(3000) + one);
    EXPECT_EQ(recording.finish_of(RankId(15)), Time::from_ns(3000) + one);
    EXPECT_EQ(recording.classes.count(), fold ? 3u : 32u);
  }
}

TEST(LibraryCollectives, KnowOneOrTwoDimensions) {
  const Dimension dimension = make_dimension(Block::switched, 2, 1, Bandwidth::from_gb_per_s(25), 2000);
  EXPECT_NO_THROW(machine_with_library({dimension}));
  EXPECT_THROW(machine_with_library({dimension, dimension, dimension}), InputError);
}

// Such groups are the hosts of a dragonfly's routers that have one host each: nodes of one GPU, or one node
// of all.
TEST(LibraryCollectives, GroupsOfOneOnAGraphNeedNoLinks) {
  const auto on_graph = [](const std::string& levels) {
    const std::string network =
        "{ build: fat-tree, link: { bandwidth: 25 GB/s, latency: 0 ns }, levels: " + levels + " }";
    return library_on(read_graph_network(parse_yaml(network, "net.yaml")), {"nccl", {}, no_files()});
  };
  const auto dimension = [](int size) {
    return make_dimension(Block::switched, size, 1, Bandwidth::from_gb_per_s(25), 0);
  };
  const auto reduce = [](const CollectiveLibrary& library, GroupPlacement group) {
    return library.seconds(CollectiveKind::all_reduce, mib, group);
  };
  EXPECT_EQ(reduce(on_graph("[ { size: 1 }, { size: 8 } ]"), {8, 1}),
            reduce(*machine_with_library({dimension(1), dimension(8)}).library, {8, 1}));
  EXPECT_EQ(reduce(on_graph("[ { size: 8 }, { size: 1 } ]"), {8, 8}),
            reduce(*machine_with_library({dimension(8), dimension(1)}).library, {8, 8}));
  EXPECT_NO_THROW(on_graph("[ { size: 1 } ]"));
}

}  // namespace
}  // namespace orrery::core::test::library_collectives_test
