#include "simulate/run/simulation.hpp"

#include <gtest/gtest.h>

#include "support/whole_machine.hpp"

namespace orrery::core::simulation_test {
namespace {

Machine two_ranks() {
  Dimension ring;
  ring.size = 2;
  ring.link_bandwidth = Bandwidth::from_gb_per_s(1);
  Machine machine;
  machine.topology.dimensions = {ring};
  return machine;
}

Recording run(const ExecutionGraph& graph) {
  const Machine machine = two_ranks();
  const Program program = test::on_all_ranks(graph, machine.topology);
  return simulate(program, machine, plan_simulation(program, machine));
}

Operation compute(int layer, int ns) {
  return {OperationKind::compute, Pass::forward, layer, 0, Time::from_ns(ns), {}, {}};
}

TEST(Simulation, RunsOperationsWhenTheirPredecessorsAreComplete) {
  ExecutionGraph graph;
  graph.layer_names = {"a", "b"};
  using Ids = std::vector<ExecutionGraph::Id>;
  const auto begin = graph.add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {});
  const auto slow = graph.add(compute(0, 30), Ids{begin});
  const auto quick = graph.add(compute(1, 10), Ids{begin});
  const auto both = graph.add(compute(1, 5), Ids{slow, quick});
  graph.add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, Ids{both});
  const Recording recording = run(graph);
  EXPECT_EQ(recording.lowest_of(0).operations[quick].end, Time::from_ns(10));
  EXPECT_EQ(recording.lowest_of(0).operations[both].start, Time::from_ns(30));
  EXPECT_EQ(recording.finish_of(RankId(0)), Time::from_ns(35));
  EXPECT_EQ(recording.finish_of(RankId(1)), Time::from_ns(35));
  EXPECT_EQ(recording.phases_of(0)->completed, (Ids{0, quick, slow, both, 4}));
}

TEST(Simulation, RanksComputeAtTheirOwnSpeed) {
  ExecutionGraph graph;
  graph.layer_names = {"a"};
  using Ids = std::vector<ExecutionGraph::Id>;
  graph.add(compute(0, 30), {});
  graph.add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, Ids{0});
  Machine machine = two_ranks();
  machine.compute_slowdown = {1.0, 1.25};
  const Program program = test::on_all_ranks(graph, machine.topology);
  for (bool fold : {true, false}) {
    const Recording recording = simulate(program, machine, plan_simulation(program, machine, fold));
    EXPECT_EQ(recording.finish_of(RankId(0)), Time::from_ns(30));
    EXPECT_EQ(recording.finish_of(RankId(1)), Time::from_ps(37'500));
  }
  machine.compute_slowdown = {1e9, 1.0};
  graph.add(compute(0, 2'000'000'000), {});
  const Program longer = test::on_all_ranks(graph, machine.topology);
  EXPECT_THROW(simulate(longer, machine, plan_simulation(longer, machine)), InputError);
}

// If every rank were simulated on its own, 2^27 of them would take terabytes.
TEST(Simulation, FoldedMachinesMayBeHuge) {
  Machine machine = two_ranks();
  machine.topology.dimensions[0].size = 1 << 27;
  machine.system.algorithms.fill({AlgorithmChoice{}});
  ExecutionGraph graph;
  graph.layer_names = {"a"};
  Operation all_reduce{OperationKind::collective, Pass::forward, 0, 0, {}, {}, {}};
  all_reduce.collective = {CollectiveKind::all_reduce, Bytes(1ull << 27), ~DimensionSet(), false};
  graph.add(all_reduce, {});
  graph.add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, std::vector<ExecutionGraph::Id>{0});
  const Program program = test::on_all_ranks(graph, machine.topology);
  const Recording recording = simulate(program, machine, plan_simulation(program, machine));
  const std::int64_t steps = 2 * ((std::int64_t{1} << 27) - 1);
  EXPECT_EQ(recording.messages, static_cast<std::uint64_t>(steps) << 27);
  // Each step sends one byte, at 2 bytes/ns, with 10 ns before each and after the last; a reduction of 1 byte
  // takes no time.
  EXPECT_EQ(recording.finish_of(RankId(12'345)), Time::from_ps(steps * 10'500 + 10'000));
}

TEST(Simulation, SaysWhoWaitsForWhatWhenItCannotGoOn) {
  ExecutionGraph graph;
  graph.layer_names = {"first", "second"};
  using Ids = std::vector<ExecutionGraph::Id>;
  graph.add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {});
  graph.add(compute(0, 1), Ids{0, 2});  // a circle
  graph.add(compute(1, 1), Ids{1});
  graph.add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, Ids{2});
  try {
    run(graph);
    FAIL() << "it ended";
  } catch (const StallError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("2 of 2 ranks have not ended"), std::string::npos) << text;
    EXPECT_NE(
        text.find(
            "rank 0 cannot start the compute for the forward pass of layer 'first' in iteration 0: it waits "
            "for the compute for the forward pass of layer 'second'"),
        std::string::npos)
        << text;
  }
}

TEST(Simulation, RefusesWhatDoesNotFitIntoMemory) {
  Machine machine = two_ranks();
  machine.topology.dimensions[0].size = 1 << 27;
  ExecutionGraph graph;
  graph.add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {});
  graph.add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, std::vector<ExecutionGraph::Id>{0});
  const Program program = test::on_all_ranks(graph, machine.topology);
  EXPECT_THROW(plan_simulation(program, machine, false), InputError);
  EXPECT_NO_THROW(plan_simulation(program, machine));  // folded it does
}

}  // namespace
}  // namespace orrery::core::simulation_test
