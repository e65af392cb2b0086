// Measures how many flits pass a wire in a second of real time.
#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core {
namespace {

Flow flit_flow(int source, int destination, std::uint64_t bytes) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.bytes = Bytes(bytes);
  return flow;
}

void run_flits(benchmark::State& state, const std::string& network, const std::vector<Flow>& flows) {
  Warnings warnings;
  const Topology topology = read_any_network(network, "bench", warnings);
  double hops = 0;
  for (auto _ : state)
    for (const LinkUse& link : run_flows(flows, topology, {.model = &packet_model}).links)
      hops += static_cast<double>(link.of_flits->flits);
  state.counters["flit hops/s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}

// Two NPUs in each of 2 x 3 packages; all send to all their neighbours.
void neighbours_on_a_torus(benchmark::State& state) {
  std::vector<Flow> flows;
  constexpr std::uint64_t bytes = 1 << 20;
  for (int npu = 0; npu < 12; ++npu)
    for (const int neighbour : {npu ^ 1, npu ^ 2, (npu + 4) % 12, (npu + 8) % 12})
      flows.push_back(flit_flow(npu, neighbour, bytes));
  run_flits(state,
            "num-npus: 12 num-packages: 6 package-rows: 3 topology: Torus3D local-rings: 2 flit-width: 2048 "
            "local-packet-size: 4096 package-packet-size: 4096 tile-link-width: 256 package-link-width: 256 "
            "vcs-per-vnet: 50 buffers-per-vc: 5000 local-link-latency: 90 package-link-latency: 200 "
            "routing-algorithm: Ring_XY",
            flows);
}

// Messages of one packet between random NPUs, at half of what the middle of the torus can carry.
void uniform_traffic_on_8x8(benchmark::State& state) {
  constexpr int npus = 64, messages = 20'000;
  // Four flits each, of which 16 wires each route pass one per cycle between the halves; half of them cross.
  constexpr double cycles = messages * 4 / 2.0 / 32 / 0.5;
  Random random(1);
  std::vector<Flow> flows;
  for (int i = 0; i < messages; ++i) {
    const int source = random.between(0, npus - 1);
    flows.push_back(flit_flow(source, (source + random.between(1, npus - 1)) % npus, 64));
    flows.back().start = Time::from_ns_rounded(random.fraction() * cycles);
  }
  run_flits(state,
            "num-npus: 64 topology: Torus sizes: 8,8 flit-width: 128 package-link-width: 128 "
            "package-packet-size: 64 vcs-per-vnet: 8 buffers-per-vc: 8 routing-algorithm: Ring_XY",
            flows);
}

BENCHMARK(neighbours_on_a_torus)->Unit(benchmark::kMillisecond);
BENCHMARK(uniform_traffic_on_8x8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orrery::core
