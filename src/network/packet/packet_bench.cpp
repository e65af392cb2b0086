// Measures how many packets pass a link in a second of real time, in networks that are graphs.
#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core {
namespace {

// Three levels of switches with nothing oversubscribed; the numbers of hosts of a leaf, leaves and pods.
Topology packet_tree(int hosts, int leaves, int pods) {
  const auto level = [](int size) { return "{ size: " + std::to_string(size) + " }"; };
  return read_graph_network(
      parse_yaml("build: fat-tree\nlink: { bandwidth: 12.5 GB/s, latency: 1 us }\nlevels: [ " + level(hosts) +
                     ", " + level(leaves) + ", " + level(pods) + " ]\n",
                 "bench"));
}

Flow packet_flow(int source, int destination, std::uint64_t bytes) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.bytes = Bytes(bytes);
  return flow;
}

// Every host sends to one other host, and receives from one.
std::vector<Flow> permutation(int hosts, std::uint64_t bytes) {
  Random random(1);
  std::vector<int> to(static_cast<std::size_t>(hosts));
  for (int host = 0; host < hosts; ++host) to[static_cast<std::size_t>(host)] = host;
  // Sattolo's shuffle leaves nobody in its place.
  for (int host = hosts - 1; host > 0; --host)
    std::swap(to[static_cast<std::size_t>(host)], to[static_cast<std::size_t>(random.between(0, host - 1))]);
  std::vector<Flow> flows;
  for (int host = 0; host < hosts; ++host)
    flows.push_back(packet_flow(host, to[static_cast<std::size_t>(host)], bytes));
  return flows;
}

std::vector<Flow> incast(int senders, std::uint64_t bytes) {
  std::vector<Flow> flows;
  for (int host = 1; host <= senders; ++host) flows.push_back(packet_flow(host, 0, bytes));
  return flows;
}

// 2 (n - 1) steps, in each of which a host passes on what it has received in the one before.
std::vector<Flow> ring_all_reduce(int hosts, std::uint64_t bytes) {
  std::vector<Flow> flows;
  for (int step = 0; step < 2 * (hosts - 1); ++step)
    for (int host = 0; host < hosts; ++host) {
      flows.push_back(packet_flow(host, (host + 1) % hosts, bytes / static_cast<std::uint64_t>(hosts)));
      const int before = (step - 1) * hosts + (host + hosts - 1) % hosts;
      if (step > 0) flows.back().after = {static_cast<std::uint32_t>(before)};
    }
  return flows;
}

void run_packets(benchmark::State& state, const Topology& topology, const std::vector<Flow>& flows,
                 const CongestionKind* congestion) {
  PacketSettings settings;
  settings.congestion.kind = congestion;
  const NetworkSetup network{.model = &packet_model,
                             .packets = std::make_shared<const PacketSettings>(settings)};
  double hops = 0;
  for (auto _ : state)
    for (const LinkUse& link : run_flows(flows, topology, network).links)
      hops += static_cast<double>(link.of_packets->packets);
  state.counters["packet hops/s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}

void permutation_of_128_hosts(benchmark::State& state, const CongestionKind* congestion) {
  run_packets(state, packet_tree(4, 4, 8), permutation(128, 5'000'000), congestion);
}
void permutation_of_1024_hosts(benchmark::State& state) {
  run_packets(state, packet_tree(8, 8, 16), permutation(1024, 4'000'000), nullptr);
}
void ring_of_128_hosts(benchmark::State& state) {
  run_packets(state, packet_tree(4, 4, 8), ring_all_reduce(128, 12'800'000), nullptr);
}
void incast_of_64_hosts(benchmark::State& state) {
  run_packets(state, packet_tree(4, 4, 8), incast(64, 2'000'000), nullptr);
}

BENCHMARK_CAPTURE(permutation_of_128_hosts, no_control, nullptr)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(permutation_of_128_hosts, hpcc, &hpcc_control)->Unit(benchmark::kMillisecond);
BENCHMARK(permutation_of_1024_hosts)->Unit(benchmark::kMillisecond);
BENCHMARK(ring_of_128_hosts)->Unit(benchmark::kMillisecond);
BENCHMARK(incast_of_64_hosts)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orrery::core
