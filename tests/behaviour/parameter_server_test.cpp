// Compares parameter servers with closed forms.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/summary/summary.hpp"
#include "simulate/run/simulation.hpp"
#include "support/one_collective.hpp"
#include "workload/parameter_server/parameter_server_program.hpp"

namespace orrery::core::test::parameter_server_test {
namespace {

constexpr int forward_ns = 100, input_gradient_ns = 50, weight_gradient_ns = 150;
constexpr std::uint64_t gradient_bytes = 24000;  // of a layer; a byte takes a nanosecond

struct Served {
  int workers = 4;
  int layers = 1;
  int passes = 1;
  NetworkModel network_model = &link_model;
  ParameterServerOptions options = {};
  std::vector<double> slowdown = {};
  double compute_scale = 1;
};

struct Trained {
  Program program;
  Recording recording;
  Summary summary;

  double end_ns() const { return recording.end().ns(); }
};

Trained run(const Served& served) {
  LayerTable table;
  for (int i = 0; i < served.layers; ++i) {
    Layer layer;
    layer.name = "layer" + std::to_string(i);
    layer.forward.compute = Time::from_ns(forward_ns);
    layer.input_gradient.compute = Time::from_ns(input_gradient_ns);
    layer.weight_gradient.compute = Time::from_ns(weight_gradient_ns);
    layer.weight_gradient.collective = CollectiveKind::all_reduce;
    layer.weight_gradient.size = Bytes(gradient_bytes);
    table.layers.push_back(layer);
  }
  table.parameter_server = served.options;
  Machine machine =
      make_machine({make_dimension(Block::switched, served.workers, 1, Bandwidth::from_gb_per_s(1), 0)},
                   {AlgorithmChoice{}}, native_dialect);
  machine.network.model = served.network_model;
  machine.compute_slowdown = served.slowdown;
  Trained result;
  result.program = parameter_server_program(table, machine.topology, {}, served.passes, native_dialect,
                                            {served.compute_scale, 1});
  result.recording = simulate(result.program, machine, plan_simulation(result.program, machine));
  result.summary = summarize("run", served.passes, result.program, machine, result.recording,
                             breakdown_of(result.program, result.recording));
  return result;
}

constexpr double compute_ns = forward_ns + weight_gradient_ns;  // of a step of a single layer

TEST(ParameterServer, OneWorkerSendsNothing) {
  Served served;
  served.workers = 1;
  served.passes = 3;
  EXPECT_EQ(run(served).end_ns(), 3 * compute_ns);
  EXPECT_EQ(run(served).recording.messages, 0u);
  served.options.update_bandwidth = Bandwidth::from_gb_per_s(2);  // one addition and the update
  EXPECT_EQ(run(served).end_ns(), 3 * (compute_ns + 2 * gradient_bytes / 2.0));
}

// Adding up gradients is work of the server's NPU, so stragglers slow it down, too.
TEST(ParameterServer, ComputeScaleIsAFactorOnUpdates) {
  Served served;
  served.workers = 1;
  served.options.update_bandwidth = Bandwidth::from_gb_per_s(2);
  const double plain = run(served).end_ns();
  served.slowdown = {3};
  const double slowed = run(served).end_ns();
  served.slowdown.clear();
  served.compute_scale = 3;
  EXPECT_EQ(run(served).end_ns(), 3 * plain);
  EXPECT_EQ(run(served).end_ns(), slowed);
}

// All gradients but the server's own come in, and all weights go out, over the server's link to the switch,
// one after the other.
TEST(ParameterServer, TheLinkOfOneServerBoundsManyWorkers) {
  for (const int workers : {2, 3, 8}) {
    Served served;
    served.workers = workers;
    EXPECT_EQ(run(served).end_ns(), compute_ns + 2.0 * (workers - 1) * gradient_bytes) << workers;
    served.options.rank = workers - 1;
    EXPECT_EQ(run(served).end_ns(), compute_ns + 2.0 * (workers - 1) * gradient_bytes) << workers;
  }
}

TEST(ParameterServer, ShardedItTakesAsManyTimesLess) {
  for (const int workers : {2, 3, 8}) {
    Served served;
    served.workers = workers;
    served.options.servers = std::nullopt;
    EXPECT_EQ(run(served).end_ns(), compute_ns + 2.0 * (workers - 1) * gradient_bytes / workers) << workers;
  }
}

TEST(ParameterServer, MessagesShareItsLink) {
  for (const NetworkModel model : {&analytical_model, &fluid_model})
    for (const int workers : {2, 8}) {
      Served served;
      served.workers = workers;
      served.network_model = model;
      EXPECT_EQ(run(served).end_ns(), compute_ns + 2.0 * (workers - 1) * gradient_bytes) << model->name;
    }
}

TEST(ParameterServer, AddsUpEveryGradientAndUpdates) {
  Served served;
  served.network_model = &analytical_model;
  served.options.update_bandwidth = Bandwidth::from_gb_per_s(4);
  // The server's own gradient is there first and is added meanwhile. The gradients of three others share its
  // link, so they come at the same time. They are added, and the update follows.
  const double exchanged_ns = 2.0 * 3 * gradient_bytes;
  EXPECT_EQ(run(served).end_ns(), compute_ns + exchanged_ns + 4 * gradient_bytes / 4.0);
  served.options.synchronous = false;  // each is applied by itself
  EXPECT_EQ(run(served).end_ns(), compute_ns + exchanged_ns + gradient_bytes / 4.0);
}

TEST(ParameterServer, WhatItDoesIsNoComputeTimeOfItsWorker) {
  Served served;
  served.options.update_bandwidth = Bandwidth::from_gb_per_s(1);
  for (const PartSummary& part : run(served).summary.parts)
    EXPECT_EQ(part.time.compute.ns(), compute_ns) << part.name;
}

std::uint64_t bytes_sent(const ExecutionGraph& graph) {
  std::uint64_t bytes = 0;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
    if (graph[id].kind == OperationKind::send) bytes += graph[id].message.size.count();
  return bytes;
}

TEST(ParameterServer, EveryWorkerPushesAndPullsAllParameters) {
  Served served;
  served.layers = 3;
  served.passes = 2;
  const std::uint64_t all = 3 * 2 * gradient_bytes;
  for (const bool synchronous : {true, false}) {
    served.options = {};
    served.options.synchronous = synchronous;
    const Trained one = run(served);
    EXPECT_EQ(bytes_sent(one.program.parts[0].graph), 3 * all);  // to three others
    for (const std::size_t worker : {1, 2, 3})
      EXPECT_EQ(bytes_sent(one.program.parts[worker].graph), all) << worker;
    served.options.servers = std::nullopt;
    // Three quarters of the gradients to others, and a quarter of the weights to each of three.
    for (const ProgramPart& part : run(served).program.parts)
      EXPECT_EQ(bytes_sent(part.graph), 2 * all * 3 / 4) << part.name;
  }
}

// Gradients are pushed while the backward pass goes on, and weights pulled while the forward pass does.
// Pushes of all layers share the server's link, so that the last layer's, which began first, is there a
// little before the others; its weights leave while those come.
TEST(ParameterServer, ExchangesOverlapWithComputation) {
  Served served;
  served.layers = 3;
  const double until_first_push = 3 * forward_ns + weight_gradient_ns,
               exchanged = 2 * 3 * 3.0 * gradient_bytes;
  for (const NetworkModel model : {&analytical_model, &fluid_model}) {
    served.network_model = model;
    EXPECT_LT(run(served).end_ns(), until_first_push + exchanged) << model->name;
    EXPECT_GT(run(served).end_ns(),
              until_first_push + exchanged - 2 * 3 * (weight_gradient_ns + input_gradient_ns))
        << model->name;
  }
}

TEST(ParameterServer, SynchronousWorkersWaitForTheSlowest) {
  Served served;
  served.passes = 4;
  served.slowdown = {1, 1, 1, 5};
  const Trained trained = run(served);
  EXPECT_EQ(trained.summary.staleness, 0);
  served.options.synchronous = false;  // with no staleness it is the same
  EXPECT_EQ(run(served).summary.staleness, 0);
  EXPECT_EQ(run(served).end_ns(), trained.end_ns());
}

TEST(ParameterServer, NobodyIsFurtherAheadThanTheStaleness) {
  Served served;
  served.layers = 2;
  served.passes = 20;
  served.network_model = &analytical_model;
  served.options.synchronous = false;
  served.slowdown = {1, 1.3, 1, 400};
  for (const bool sharded : {false, true}) {
    double first_worker_ends = 1e18;
    if (sharded) served.options.servers = std::nullopt;
    for (const int staleness : {0, 1, 3, 7}) {
      served.options.staleness = staleness;
      const Trained trained = run(served);
      EXPECT_EQ(trained.summary.staleness, staleness) << sharded;
      const double ends = trained.recording.lowest_of(0).finish.ns();
      EXPECT_LT(ends, first_worker_ends) << staleness;
      first_worker_ends = ends;
    }
  }
  served.options.staleness = 1000;  // no bound
  EXPECT_GT(run(served).summary.staleness, 7);
}

TEST(ParameterServer, HasToBeARankOfTheMachine) {
  Served served;
  served.options.rank = 4;
  EXPECT_THROW(run(served), InputError);
}

}  // namespace
}  // namespace orrery::core::test::parameter_server_test
