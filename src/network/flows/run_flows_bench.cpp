#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core {
namespace {

// 1,024 hosts, three levels of switches, nothing oversubscribed.
Topology fat_tree() {
  return read_graph_network(
      parse_yaml("build: fat-tree\n"
                 "link: { bandwidth: 12.5 GB/s, latency: 1 us }\n"
                 "levels: [ { size: 8 }, { size: 8 }, { size: 16 } ]\n",
                 "bench"));
}

enum class Starts { at_once, spread };

// Flows of 1 MB between random hosts; spread over a time in which they load the network by 40 %.
std::vector<Flow> random_flows(int hosts, std::size_t count, Starts starts) {
  constexpr double load = 0.4, bytes = 1e6, bytes_per_ps = 0.0125;
  const double span_ps = static_cast<double>(count) * bytes / (hosts * bytes_per_ps * load);
  Random random(1);
  std::vector<Flow> flows(count);
  for (Flow& flow : flows) {
    flow.source = random.between(0, hosts - 1);
    flow.destination = (flow.source + random.between(1, hosts - 1)) % hosts;
    flow.bytes = Bytes(static_cast<std::uint64_t>(bytes));
    if (starts == Starts::spread)
      flow.start = Time::from_ps(static_cast<std::int64_t>(random.fraction() * span_ps));
  }
  return flows;
}

// Items are flows.
void run(benchmark::State& state, Starts starts) {
  const Topology topology = fat_tree();
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::vector<Flow> flows = random_flows(topology.npus(), count, starts);
  for (auto _ : state) benchmark::DoNotOptimize(run_flows(flows, topology, {.model = &fluid_model}).end);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(run, at_once, Starts::at_once)
    ->Arg(10'000)
    ->Arg(30'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, spread, Starts::spread)
    ->Arg(10'000)
    ->Arg(30'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orrery::core
