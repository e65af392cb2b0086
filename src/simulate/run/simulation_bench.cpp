#include <benchmark/benchmark.h>

#include "simulate/run/simulation.hpp"
#include "workload/astra1/training_loops.hpp"

namespace orrery::core {
namespace {

// Simulates one all-reduce of 1 MiB in four chunks on a square torus.
void all_reduce_on_torus(benchmark::State& state) {
  Dimension ring;
  ring.size = static_cast<int>(state.range(0));
  ring.link_bandwidth = Bandwidth::from_gib_per_s(62);
  ring.link_latency_ns = 500;
  Machine machine;
  machine.topology.dimensions = {ring, ring};
  machine.dialect = astra_sim_1_dialect;
  machine.system.chunks = 4;
  machine.system.algorithms.fill({AlgorithmChoice{}, AlgorithmChoice{}});
  LayerTable table;
  table.policy = TrainingPolicy::micro;
  table.layers.emplace_back();
  table.layers[0].name = "all-reduce";
  table.layers[0].weight_gradient = {Time(), CollectiveKind::all_reduce, false, Bytes(1 << 20)};
  const Program program = program_of_equal_ranks(training_graph(table, {}, 1, machine.dialect, {}),
                                                 logical_dimensions(machine.topology),
                                                 static_cast<std::uint32_t>(machine.topology.npus()));
  std::uint64_t messages = 0;
  const SimulationPlan plan = plan_simulation(program, machine, state.range(1) != 0);
  for (auto _ : state) messages += simulate(program, machine, plan).messages;
  state.counters["messages/s"] =
      benchmark::Counter(static_cast<double>(messages), benchmark::Counter::kIsRate);
}
BENCHMARK(all_reduce_on_torus)
    ->ArgsProduct({{4, 16, 64}, {0, 1}})
    ->ArgNames({"side", "fold"})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orrery::core
