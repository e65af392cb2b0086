#include "collective/library/message_algorithms.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::core {
namespace {

// glibc maps larger buffers anew each time they are allocated (DEFAULT_MMAP_THRESHOLD_MAX of malloc.c), so
// the kernel has to find and clear their pages in each call.
constexpr double largest_kept_buffer = 32 << 20;

double doublings(int members) {
  return std::ceil(std::log2(members));
}

// The share of a tensor that is not a member's own.
double of_others(int members) {
  return 1 - 1.0 / members;
}

bool is_power_of_two(int members) {
  return (members & (members - 1)) == 0;
}

// Has `in_node` bytes of each member cross the links of its node, and then `out_of_node` bytes of each of
// `senders` members those between nodes.
void send_in_turn(double in_node, double out_of_node, int senders, const MessageCollective& all,
                  TransferDemand& demand) {
  const int per_node = all.group.per_node;
  demand.in_turn = true;
  if (per_node > 1) demand.inside_seconds = in_node / all.links.inside.ring_bandwidth(per_node);
  if (all.group.nodes() > 1)
    demand.between_seconds = senders * out_of_node / all.links.sending_bandwidth(senders, per_node);
}

// One member of a node sends to the next node.
TransferDemand one_ring(double rounds, const MessageCollective& all) {
  TransferDemand demand = ring_demand(rounds, all.bytes, all.group, all.links);
  const int per_node = all.group.per_node;
  demand.between_seconds *= all.links.node_bandwidth(per_node) / all.links.sending_bandwidth(1, per_node);
  return demand;
}

// Partners at distances 1, 2, 4, ... exchange messages, `rounds` times. Those of whole tensors are all as
// large as it; otherwise they are twice as large with each step, or half as large.
TransferDemand doubling_demand(double rounds, bool whole, const MessageCollective& all) {
  const int per_node = all.group.per_node, nodes = all.group.nodes();
  TransferDemand demand;
  set_steps(rounds * doublings(per_node), all.group, all.links, demand);
  demand.hops = rounds * doublings(nodes);
  if (whole)
    send_in_turn(all.bytes * demand.inside_steps, all.bytes * demand.hops, per_node, all, demand);
  else
    send_in_turn(rounds * all.bytes * of_others(per_node), rounds * all.bytes / per_node * of_others(nodes),
                 per_node, all, demand);
  return demand;
}

double sum_of_others(const MessageCollective& all) {
  return all.links.inside.sum_seconds(all.bytes * of_others(all.group.members), all.group.per_node);
}

// Returns the seconds in which memory for so many temporary buffers of the whole tensor is obtained.
double allocation(int buffers, const MessageCollective& all) {
  if (all.constants.allocation_bandwidth == 0 || all.bytes <= largest_kept_buffer) return 0;
  return buffers * all.bytes / all.constants.allocation_bandwidth;
}

TransferDemand ring_all_reduce(const MessageCollective& all) {
  TransferDemand demand = one_ring(2, all);
  demand.host_seconds = sum_of_others(all);
  return demand;
}

TransferDemand ring_all_gather(const MessageCollective& all) {
  return one_ring(1, all);
}

TransferDemand ring_reduce_scatter(const MessageCollective& all) {
  TransferDemand demand = one_ring(1, all);
  demand.host_seconds = sum_of_others(all) + allocation(1, all);
  return demand;
}

TransferDemand doubling_all_reduce(const MessageCollective& all) {
  TransferDemand demand = doubling_demand(1, true, all);
  demand.host_seconds =
      all.links.inside.sum_seconds(all.bytes * (demand.inside_steps + demand.hops), all.group.per_node) +
      allocation(1, all);
  return demand;
}

TransferDemand halving_doubling_all_reduce(const MessageCollective& all) {
  TransferDemand demand = doubling_demand(2, false, all);
  demand.host_seconds = sum_of_others(all) + allocation(1, all);
  return demand;
}

TransferDemand doubling_all_gather(const MessageCollective& all) {
  return doubling_demand(1, false, all);
}

// Neighbours exchange two parts in each step, and each of them has two neighbours.
TransferDemand neighbor_all_gather(const MessageCollective& all) {
  TransferDemand demand = one_ring(1, all);
  demand.inside_steps /= 2;
  demand.inside_latency /= 2;
  demand.hops /= 2;
  return demand;
}

TransferDemand halving_reduce_scatter(const MessageCollective& all) {
  TransferDemand demand = doubling_demand(1, false, all);
  demand.host_seconds = sum_of_others(all) + allocation(2, all);
  return demand;
}

TransferDemand binomial_broadcast(const MessageCollective& all) {
  TransferDemand demand = doubling_demand(1, true, all);
  // Only one member of a node sends to others.
  send_in_turn(all.bytes * demand.inside_steps, all.bytes * demand.hops, 1, all, demand);
  return demand;
}

TransferDemand scatter_doubling_broadcast(const MessageCollective& all) {
  return doubling_demand(2, false, all);
}

TransferDemand scatter_ring_broadcast(const MessageCollective& all) {
  TransferDemand demand = one_ring(2, all);
  const TransferDemand scatter = doubling_demand(1, false, all);
  demand.inside_steps = demand.inside_steps / 2 + scatter.inside_steps;
  demand.inside_latency = demand.inside_latency / 2 + scatter.inside_latency;
  demand.hops = demand.hops / 2 + scatter.hops;
  return demand;
}

bool any(int) {
  return true;
}
bool is_even(int members) {
  return members % 2 == 0;
}

struct MessageAlgorithm {
  CollectiveKind kind;
  LibraryAlgorithm algorithm;
  bool (*has_members)(int);  // whether a group can have so many
  TransferDemand (*demand)(const MessageCollective&);
};

using enum LibraryAlgorithm;
constexpr MessageAlgorithm message_algorithms[] = {
    {CollectiveKind::all_reduce, ring, any, ring_all_reduce},
    {CollectiveKind::all_reduce, recursive_doubling, any, doubling_all_reduce},
    {CollectiveKind::all_reduce, halving_doubling, any, halving_doubling_all_reduce},
    {CollectiveKind::all_gather, ring, any, ring_all_gather},
    {CollectiveKind::all_gather, neighbor_exchange, is_even, neighbor_all_gather},
    {CollectiveKind::all_gather, recursive_doubling, is_power_of_two, doubling_all_gather},
    {CollectiveKind::reduce_scatter, ring, any, ring_reduce_scatter},
    {CollectiveKind::reduce_scatter, recursive_halving, any, halving_reduce_scatter},
    {CollectiveKind::broadcast, binomial, any, binomial_broadcast},
    {CollectiveKind::broadcast, scatter_doubling, is_power_of_two, scatter_doubling_broadcast},
    {CollectiveKind::broadcast, scatter_ring, any, scatter_ring_broadcast},
};

const MessageAlgorithm* find(CollectiveKind kind, LibraryAlgorithm algorithm) {
  const auto found = std::ranges::find_if(message_algorithms, [&](const MessageAlgorithm& known) {
    return known.kind == kind && known.algorithm == algorithm;
  });
  return found == std::end(message_algorithms) ? nullptr : &*found;
}

}  // namespace

bool is_algorithm_of(CollectiveKind kind, LibraryAlgorithm algorithm) {
  return find(kind, algorithm) != nullptr;
}

bool is_for_any_group(CollectiveKind kind, LibraryAlgorithm algorithm) {
  const MessageAlgorithm* const known = find(kind, algorithm);
  return known && known->has_members == any;
}

std::vector<std::string_view> algorithms_for(CollectiveKind kind) {
  std::vector<std::string_view> words;
  for (const MessageAlgorithm& known : message_algorithms)
    if (known.kind == kind) words.push_back(word_of(library_algorithm_words, known.algorithm));
  return words;
}

std::vector<TransferDemand> message_demands(const MessageCollective& collective) {
  std::vector<TransferDemand> demands;
  for (const LibraryAlgorithm algorithm : collective.constants.algorithms_of(collective.kind)) {
    const MessageAlgorithm* const known = find(collective.kind, algorithm);
    if (!known || !known->has_members(collective.group.members)) continue;
    demands.push_back(known->demand(collective));
    demands.back().algorithm = algorithm;
  }
  return demands;
}

}  // namespace orrery::core
