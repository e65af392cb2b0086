#include "collective/channels/channel_costs.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::core {
namespace {

// Constants of NCCL's tuner (src/graph/tuning.cc), latencies in us, in the order of Protocol: simple, LL128,
// LL.
using ByProtocol = std::array<double, 3>;
struct Latencies {
  ByProtocol base, nvlink, pcie, network;
};
constexpr Latencies of_ring{{8.4, 14, 6.6}, {3.4, 1.9, 0.6}, {5.7, 2.5, 1.0}, {14, 4, 2.7}};
constexpr Latencies of_tree{{8.4, 14, 6.8}, {4.0, 1.25, 0.6}, {4.0, 1.9, 1.0}, {14, 8.5, 5}};
constexpr double nvls_us = 25, nvls_hop_us = 14;
// Bandwidths in GB/s by generation: of LL on 1, 2 and more machines, of a channel under LL128.
constexpr std::array<std::array<double, 3>, 4> max_of_ll{
    {{39, 39, 20.4}, {87.7, 22.5, 19}, {141, 45, 35}, {282, 90, 70}}};
constexpr std::array<double, 4> max_of_ll128_channel{20, 20, 36.7, 40};
// Shares of the bandwidth of rings under the simple protocol.
constexpr double ring_ll128 = 0.92, ring_ll = 0.5, tree_share = 0.92, tree_ll128 = 120.0 / 128,
                 tree_ll = 1 / 3.8;
constexpr double nvls_of_hopper = 0.85, nvls_of_blackwell = 0.74;

// What the tuner leaves out: under LL128 and the simple protocol, kernels start late, and a hop takes longer
// with a pipeline of full pieces than with an empty one. These three constants are fitted to the measured
// all-reduces of docs/accuracy.md, "On channels": the mean of the lines' mean errors is least.
constexpr double launch_before_hopper_us = 27.5, launch_since_hopper_us = 8.3;
constexpr double hop_factor = 4.3;
// LL reaches a smaller share than the tuner counts: that of share/orrery/libraries/nccl.yaml, on A100 and
// H100.
constexpr double reached_by_ll = 0.4;

template <class List>
double at(const List& list, Protocol protocol) {
  return list[static_cast<std::size_t>(protocol)];
}

}  // namespace

ChannelCosts::ChannelCosts(const GroupChannels& group) {
  const std::size_t hosts = group.hosts().size();
  generation_ = GpuGeneration::blackwell;
  for (std::size_t host = 0; host < hosts; ++host) {
    const GroupChannels::HostPlan& plan = group.plan(host);
    generation_ = std::min(generation_, plan.shape.generation);
    nvlinks_ = nvlinks_ && plan.ring.inside <= PathType::nvb;
    const auto gpus = static_cast<double>(plan.shape.gpus);
    members_ += gpus;
    per_machine_ = std::max(per_machine_, gpus);
  }
  machines_ = static_cast<double>(hosts);
  channels_ = static_cast<double>(group.searched());
  const HostChannels& rings = group.plan(0).ring;
  const Rate rate = hosts > 1 ? rings.rate_outside : rings.rate_inside;  // in MB/s, which is bytes per us
  bytes_per_us_ = channels_ * static_cast<double>(std::max<Rate>(rate, 1));
}

// LL128 needs NVLinks, which deliver 128 bytes in order.
bool ChannelCosts::can_run(Protocol protocol) const {
  return nvlinks_ || protocol != Protocol::ll128;
}

double ChannelCosts::launch_us(Protocol protocol) const {
  if (protocol == Protocol::ll) return 0;
  return generation_ < GpuGeneration::hopper ? launch_before_hopper_us : launch_since_hopper_us;
}

double ChannelCosts::share(LibraryAlgorithm algorithm, Protocol protocol) {
  const bool in_tree = algorithm == LibraryAlgorithm::tree;
  switch (protocol) {
    case Protocol::simple:
      return in_tree ? tree_share : 1;
    case Protocol::ll128:
      return in_tree ? tree_share * tree_ll128 : ring_ll128;
    default:
      return in_tree ? tree_share * tree_ll : ring_ll;
  }
}

// Returns the time that the GPUs' threads need for the bytes of all channels, whatever the links can do.
double ChannelCosts::threads_us(Protocol protocol, double bytes) const {
  constexpr double bytes_per_us = 1000;  // of a GB/s
  const auto generation = static_cast<std::size_t>(generation_);
  const std::size_t column = std::min<std::size_t>(static_cast<std::size_t>(machines_), 3) - 1;
  switch (protocol) {
    case Protocol::simple:
      return 0;
    case Protocol::ll128:
      return bytes / (channels_ * max_of_ll128_channel[generation] * bytes_per_us);
    default:
      return bytes / (reached_by_ll * max_of_ll[generation][column] * bytes_per_us);
  }
}

ChannelCost ChannelCosts::cost(LibraryAlgorithm algorithm, Protocol protocol, double latency_us, double bytes,
                               double share) const {
  const double on_links = bytes / bytes_per_us_ / share, in_threads = threads_us(protocol, bytes);
  return {algorithm,
          protocol,
          launch_us(protocol) + latency_us,
          std::max(on_links, in_threads),
          on_links * (1 - share),
          in_threads};
}

ChannelCost ChannelCosts::quickest(LibraryAlgorithm algorithm, const Steps& steps, double bytes) const {
  const Latencies& latencies = algorithm == LibraryAlgorithm::tree ? of_tree : of_ring;
  ChannelCost best;
  for (const auto& [word, protocol] : protocol_words) {
    if (!can_run(protocol)) continue;
    const double inside = at(nvlinks_ ? latencies.nvlink : latencies.pcie, protocol);
    const double hop = at(latencies.network, protocol) * (protocol == Protocol::ll ? 1 : hop_factor);
    const ChannelCost found =
        cost(algorithm, protocol, at(latencies.base, protocol) + steps.inside * inside + steps.between * hop,
             bytes, share(algorithm, protocol));
    if (protocol == Protocol::simple || found.us() < best.us()) best = found;
  }
  return best;
}

// Switches add up inside a machine that has several members. Between machines, switches of the network do, or
// a tree over machines.
ChannelCost ChannelCosts::in_switches(LibraryAlgorithm algorithm, double bytes) const {
  const bool by_network = algorithm == LibraryAlgorithm::sharp;
  double hops = 0, latency_us = 0, between = 0, inside = 0, share = 1;
  if (machines_ > 1) {
    hops = by_network ? 2 : 2 * std::floor(std::log2(machines_));
    between = by_network || machines_ == 2 ? bytes : 2 * bytes;
  }
  if (per_machine_ > 1) {
    latency_us = nvls_us;
    inside = bytes * (1 + 1 / per_machine_);
    share = generation_ < GpuGeneration::blackwell ? nvls_of_hopper : nvls_of_blackwell;
  }
  return cost(algorithm, Protocol::simple, latency_us + hops * nvls_hop_us * hop_factor,
              std::max(inside, between), share);
}

ChannelCost ChannelCosts::of_all_reduce(LibraryAlgorithm algorithm, double bytes) const {
  switch (algorithm) {
    case LibraryAlgorithm::nvls:
    case LibraryAlgorithm::sharp:
      return in_switches(algorithm, bytes);
    case LibraryAlgorithm::tree:
      return quickest(algorithm, {2 * (per_machine_ - 1), 2 * std::floor(std::log2(machines_))}, 2 * bytes);
    default:
      return ring(2 * bytes * (members_ - 1) / members_, 2);
  }
}

ChannelCost ChannelCosts::all_reduce(double bytes, const std::vector<LibraryAlgorithm>& algorithms) const {
  std::vector<ChannelCost> costs;
  for (const LibraryAlgorithm algorithm : algorithms) costs.push_back(of_all_reduce(algorithm, bytes));
  return *std::ranges::min_element(costs, {}, &ChannelCost::us);
}

ChannelCost ChannelCosts::ring(double bytes, int rounds) const {
  return quickest(LibraryAlgorithm::ring, {rounds * (members_ - machines_), rounds * (machines_ - 1)}, bytes);
}

ChannelCost ChannelCosts::pairs(double bytes) const {
  return quickest(LibraryAlgorithm::ring, {1, machines_ > 1 ? 1.0 : 0.0}, bytes);
}

}  // namespace orrery::core
