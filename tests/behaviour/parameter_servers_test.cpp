// Tests parameter servers (docs/inputs/workloads.md, Exchange of gradients) against times worked out by hand,
// and by what slow ranks cost under each synchronization.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "orrery/experiment.hpp"
#include "support/one_collective.hpp"
#include "workload/parameter_server/parameter_server_program.hpp"

namespace orrery::core::parameter_servers_test {
namespace {

// Layers of one pass each, of 1 ms, whose gradients have so many bytes.
LayerTable table_of(const std::vector<std::uint64_t>& sizes, const ParameterServerOptions& options) {
  LayerTable table;
  const LayerStep step{Time::from_ns(1'000'000), {}, false, {}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Layer layer{fmt::format("layer{}", i), step, step, step, Time(), {}, {}};
    layer.weight_gradient.collective = CollectiveKind::all_reduce;
    layer.weight_gradient.size = Bytes(sizes[i]);
    table.layers.push_back(layer);
  }
  table.parameter_server = options;
  return table;
}

// Returns the bytes that a rank pushes to each rank.
std::vector<std::uint64_t> pushed(const Program& program, std::size_t rank) {
  std::vector<std::uint64_t> bytes(program.parts.size());
  const ExecutionGraph& graph = program.parts[rank].graph;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
    if (graph.kind(id) == OperationKind::send && !graph.is_background(id))
      bytes[graph.message(id).peer] += graph.message(id).size.count();
  return bytes;
}

Topology switched(int npus) {
  Topology topology;
  topology.dimensions.push_back(
      test::make_dimension(Block::switched, npus, 1, Bandwidth::from_gb_per_s(1), 0));
  return topology;
}

// 8 to the first server, 6 to the second, 4 to the second, which has fewer, the other 4 to the first, 2 to
// the second.
TEST(ParameterServers, WholeLayersGoToTheServerThatHasLeast) {
  ParameterServerOptions options;
  options.servers = 2;
  options.servers_train = false;
  options.whole_layers = true;
  const Program program =
      parameter_server_program(table_of({4, 8, 2, 6, 4}, options), switched(4), {}, 1, native_dialect, {});
  EXPECT_EQ(pushed(program, 2), (std::vector<std::uint64_t>{12, 12, 0, 0}));
  EXPECT_EQ(pushed(program, 3), (std::vector<std::uint64_t>{12, 12, 0, 0}));
  EXPECT_EQ(pushed(program, 0), (std::vector<std::uint64_t>{0, 0, 0, 0}));
  EXPECT_EQ(program.parts[0].name, "server 0");
  EXPECT_EQ(program.parts[2].name, "worker 2");
}

TEST(ParameterServers, SharesDifferByAByte) {
  ParameterServerOptions options;
  options.servers = 3;
  options.rank = 1;
  const Program program =
      parameter_server_program(table_of({100}, options), switched(5), {}, 1, native_dialect, {});
  EXPECT_EQ(pushed(program, 0), (std::vector<std::uint64_t>{0, 34, 33, 33, 0}));
  EXPECT_EQ(pushed(program, 2), (std::vector<std::uint64_t>{0, 34, 0, 33, 0}));
}

// Four workers and, on the first NPUs, servers that do nothing but serve, behind a switch.
std::string experiment(const std::string& servers, const std::string& more = "") {
  return "network: [ { topology: switch, size: 5, bandwidth: 10 GB/s, latency: 1 us } ]\n"
         "workload: { layers: [ { name: a, forward: { compute: 1 ms }, weight-gradient: { compute: 1 ms, "
         "collective: "
         "all-reduce, size: 1 MB } } ],\n  parameter-server: { servers-train: false, " +
         servers + " } }\npasses: 20\n" + more;
}

orrery::Runs run_of(const std::string& text) {
  const auto parsed = orrery::Experiment::from(orrery::Document::parse(text).value());
  EXPECT_TRUE(parsed.ok()) << text;
  orrery::Runs runs = parsed.value().simulate();
  EXPECT_TRUE(runs.ok()) << text;
  return runs;
}

// Returns a cell of runs.csv, or -1 where it is empty.
double cell(const orrery::Runs& runs, const std::string& column) {
  return runs.table("runs").value().real(0, column).value_or(-1);
}

// A worker computes for 2 ms and pushes 10 MB in 1.001 ms. The server takes its gradients in and updates, 0.1
// ms each, and sends back what takes as long.
TEST(ParameterServers, AServerOfItsOwnAnswersAWorker) {
  const orrery::Runs runs = run_of(
      "network: [ { topology: switch, size: 2, bandwidth: 10 GB/s, latency: 1 us } ]\n"
      "workload: { layers: [ { name: a, forward: { compute: 1 ms }, weight-gradient: { compute: 1 ms, "
      "collective: "
      "all-reduce, size: 10 MB } } ],\n"
      "  parameter-server: { servers-train: false, update-bandwidth: 100 GB/s } }\npasses: 3\n");
  EXPECT_NEAR(runs[0].time().seconds(), 3 * (2e-3 + 2 * 0.1e-3 + 2 * 1.002e-3), 2e-5);
}

constexpr const char* straggler = "stragglers: { ranks: [4], slowdown: 3 }\n";

TEST(ParameterServers, AStragglerHoldsUpOnlyThoseThatWaitForIt) {
  const double whole =
      cell(run_of(experiment("synchronization: asynchronous, staleness: unbounded")), "steps_per_s");
  const double synchronous =
      cell(run_of(experiment("synchronization: synchronous", straggler)), "steps_per_s");
  const double bounded =
      cell(run_of(experiment("synchronization: asynchronous, staleness: 2", straggler)), "steps_per_s");
  const orrery::Runs free =
      run_of(experiment("synchronization: asynchronous, staleness: unbounded", straggler));
  const double unbounded = cell(free, "steps_per_s");
  EXPECT_LT(synchronous, 0.7 * whole);
  EXPECT_LT(synchronous, bounded);
  EXPECT_LT(bounded, unbounded);
  // Three of four are as fast as without it, or faster, as the links of the server have less to carry.
  EXPECT_GT(unbounded, 0.75 * whole);
}

TEST(ParameterServers, StalenessIsWhatOthersHaveDoneMeanwhile) {
  EXPECT_EQ(cell(run_of(experiment("synchronization: synchronous")), "mean_staleness"), 0);
  // Four equal workers end three steps of others during one of their own.
  EXPECT_NEAR(
      cell(run_of(experiment("synchronization: asynchronous, staleness: unbounded")), "mean_staleness"), 3,
      0.5);
}

TEST(ParameterServers, TimeToAccuracyFollowsFromStaleness) {
  const std::string asynchronous = "synchronization: asynchronous, staleness: unbounded, ";
  const orrery::Runs run = run_of(experiment(asynchronous + "convergence: { steps: 1000, growth: 0.25 }"));
  const double rate = 4 * cell(run, "steps_per_s"), stale = cell(run, "mean_staleness");
  EXPECT_NEAR(cell(run, "time_to_accuracy_s"), 1000 * (1 + 0.25 * stale) / rate, 1e-5 * 1000 / rate);
  EXPECT_EQ(cell(run_of(experiment(asynchronous + "convergence: { steps: 1000, diverges-at: 2 }")),
                 "time_to_accuracy_s"),
            -1);
}

// Two NPUs of a model-parallel group in the inner dimension, three groups along the outer one. A group's
// all-reduce among two lets each send and receive 1 MB twice over 100 GB/s. Then each member of a group but
// the server's sends 1 MB to the server's member that holds the same parameters, whose link of 10 GB/s two of
// them share, and gets as much back.
TEST(ParameterServers, GroupsOfModelParallelNpusTrainAsOne) {
  const orrery::Runs runs = run_of(
      "network: [ { name: inner, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 0 ns },\n"
      "           { name: outer, topology: switch, size: 3, bandwidth: 10 GB/s, latency: 0 ns } ]\n"
      "system: { endpoint-delay: 0 ns }\n"
      "workload:\n  policy: hybrid-data-model\n  parameter-server: {}\n"
      "  layers: [ { name: a, forward: { compute: 1 ms, collective: all-reduce, size: 2 MB },\n"
      "              weight-gradient: { compute: 1 ms, collective: all-reduce, size: 1 MB } } ]\n");
  const orrery::Table parts = runs[0].table("parts").value();
  ASSERT_EQ(parts.rows(), 3U);
  EXPECT_EQ(parts.text(0, "part"), "server and worker 0");
  EXPECT_EQ(parts.real(0, "npus"), 2);
  EXPECT_NEAR(runs[0].time().seconds(), 2e-3 + 2 * 1e6 / 100e9 + 2 * 2e6 / 10e9, 1e-8);
}

TEST(ParameterServers, EachStageOfAPipelineHasItsServers) {
  ParameterServerOptions options;
  LayerTable table = table_of({1000, 1000, 6000, 6000}, options);
  for (Layer& layer : table.layers) layer.output = Bytes(10);
  table.pipeline = PipelineOptions{PipelineSchedule::one_forward_one_backward, 2, 1, "", {}, {}};
  Topology topology = switched(3);
  topology.dimensions.push_back(test::make_dimension(Block::switched, 2, 1, Bandwidth::from_gb_per_s(1), 0));
  const Program program = parameter_server_program(table, topology, {}, 1, native_dialect, {});
  ASSERT_EQ(program.parts.size(), 6U);
  EXPECT_EQ(program.parts[1].name, "stage 0, worker 1");
  EXPECT_EQ(program.parts[3].name, "stage 1, server and worker 0");
  // Gradients go to the server of the stage once, outputs of two micro-batches to the stage's neighbour.
  EXPECT_EQ(pushed(program, 1), (std::vector<std::uint64_t>{2000, 0, 0, 0, 20, 0}));
  EXPECT_EQ(pushed(program, 5), (std::vector<std::uint64_t>{0, 0, 20, 12000, 0, 0}));
  EXPECT_TRUE(program.parts[2].paces_replica);
  EXPECT_FALSE(program.parts[4].paces_replica);
}

}  // namespace
}  // namespace orrery::core::parameter_servers_test
