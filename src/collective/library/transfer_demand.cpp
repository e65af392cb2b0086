#include "collective/library/transfer_demand.hpp"

#include <algorithm>
#include <cmath>

#include "collective/library/message_algorithms.hpp"

namespace orrery::core {

void set_steps(double steps, const GroupPlacement& group, const GroupLinks& links, TransferDemand& demand) {
  demand.inside_steps = steps;
  demand.inside_latency = steps * links.step_seconds(group.per_node);
}

TransferDemand ring_demand(double rounds, double bytes, const GroupPlacement& group,
                           const GroupLinks& links) {
  const double n = group.members, nodes = group.nodes();
  TransferDemand demand;
  set_steps(rounds * nodes * (group.per_node - 1), group, links, demand);
  demand.hops = rounds * (nodes - 1);
  if (group.per_node > 1)
    demand.inside_seconds = bytes / n * rounds * (n - 1 + links.inside.copy_steps / 2) /
                            links.inside.ring_bandwidth(group.per_node);
  if (nodes > 1) demand.between_seconds = bytes / n * rounds * (n - 1) / links.node_bandwidth(group.per_node);
  return demand;
}

namespace {

constexpr double barrier_bytes = 4;  // a barrier is an all-reduce of one flag

// Returns the demand of a chain from the root through all members, or to the root, in pieces.
TransferDemand chain_demand(double bytes, const GroupPlacement& group, const GroupLinks& links) {
  TransferDemand demand = ring_demand(1, 0, group, links);
  if (group.per_node > 1) demand.inside_seconds = bytes / links.inside.ring_bandwidth(group.per_node);
  if (group.nodes() > 1) demand.between_seconds = bytes / links.node_bandwidth(group.per_node);
  return demand;
}

// Adds what goes up and down a double binary tree over nodes. Each tree has half of the bytes, and a node is
// a leaf in one tree and has two children in the other. If there are two nodes, each is a root and a leaf,
// and sends all bytes once.
void add_node_tree(double bytes, const GroupPlacement& group, const GroupLinks& links,
                   TransferDemand& demand) {
  const int nodes = group.nodes();
  if (nodes == 1) return;
  demand.hops = 2 * std::ceil(std::log2(nodes));
  demand.between_seconds = (nodes > 2 ? 2 : 1) * bytes / links.node_bandwidth(group.per_node);
}

// The members of a node form a chain, in which each sends all bytes up and down.
TransferDemand tree_demand(double bytes, const GroupPlacement& group, const GroupLinks& links,
                           const LibraryConstants& constants) {
  TransferDemand demand;
  demand.algorithm = LibraryAlgorithm::tree;
  set_steps(2 * (group.per_node - 1), group, links, demand);
  if (group.per_node > 1)
    demand.inside_seconds =
        2 * bytes / (links.inside.ring_bandwidth(group.per_node) * constants.tree_efficiency);
  add_node_tree(bytes, group, links, demand);
  return demand;
}

// Switches read all bytes of each member and the member writes its share of the sum to all: 1 + 1/p.
TransferDemand nvls_demand(double bytes, const GroupPlacement& group, const GroupLinks& links) {
  TransferDemand demand;
  demand.algorithm = LibraryAlgorithm::nvls;
  demand.in_switches = true;
  demand.inside_latency = links.inside.switch_seconds;
  demand.inside_seconds =
      bytes * (1 + 1.0 / group.per_node) / (links.inside.bandwidth * links.inside.switch_efficiency);
  add_node_tree(bytes, group, links, demand);
  return demand;
}

// Nodes send all bytes up to the switches once, and receive the sum from there. `demand` is that of a tree
// over nodes, which covers the traffic inside them.
TransferDemand sharp_demand(TransferDemand demand, double bytes, const GroupPlacement& group,
                            const GroupLinks& links) {
  demand.algorithm = LibraryAlgorithm::sharp;
  demand.hops = 2;
  demand.between_seconds = bytes * links.between.efficiency /
                           (links.node_bandwidth(group.per_node) * links.between.switch_efficiency);
  return demand;
}

// Every member sends its n-th part to every other at once. In a collective with a root only the root does so,
// or receives as much.
TransferDemand pairwise_demand(double bytes, const GroupPlacement& group, const GroupLinks& links,
                               const LibraryConstants& constants) {
  const double part = bytes / group.members;
  TransferDemand demand;
  demand.algorithm = LibraryAlgorithm::pairwise;
  set_steps(group.per_node - 1, group, links, demand);
  if (group.per_node > 1)
    demand.inside_seconds =
        part * (group.per_node - 1) / constants.pairwise_inside / links.inside.ring_bandwidth(group.per_node);
  if (group.nodes() > 1) {
    demand.hops = 1;
    demand.between_seconds =
        part * (group.members - group.per_node) / constants.pairwise_between / links.node_bandwidth(1);
  }
  return demand;
}

// Returns how many bytes are copied from a GPU to its host and back: those that a member has before, and
// those that it has after. The copies of a root to its host and of the others from there follow each other.
double staged_bytes(CollectiveKind kind, double bytes, int members) {
  switch (kind) {
    case CollectiveKind::barrier:
      return 0;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
      return bytes + bytes / members;
    default:
      return 2 * bytes;
  }
}

std::vector<TransferDemand> demands_of_nccl(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                            const GroupLinks& links, const LibraryConstants& constants) {
  switch (kind) {
    case CollectiveKind::all_to_all:
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
      return {pairwise_demand(bytes, group, links, constants)};
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
      return {ring_demand(1, bytes, group, links)};
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return {chain_demand(bytes, group, links)};
    case CollectiveKind::barrier:
    case CollectiveKind::all_reduce:
      break;
  }
  std::vector<TransferDemand> demands{ring_demand(2, bytes, group, links)};
  const bool over_nodes = group.nodes() > 1;
  if (over_nodes) demands.push_back(tree_demand(bytes, group, links, constants));
  if (links.inside.switch_efficiency > 0 && group.per_node > 1)
    demands.push_back(nvls_demand(bytes, group, links));
  if (links.between.switch_efficiency > 0 && over_nodes)
    for (std::size_t i = demands.size() - 1; i > 0; --i)
      demands.push_back(sharp_demand(demands[i], bytes, group, links));
  return demands;
}

}  // namespace

double InsideLink::ring_bandwidth(int members) const {
  double share = 1;
  if (!ring_shares.empty() && members > 1)
    share = ring_shares[std::min(static_cast<std::size_t>(members) - 2, ring_shares.size() - 1)];
  const double links = bandwidth * efficiency * share;
  return (stream_bandwidth > 0 ? std::min(links, stream_bandwidth) : links) / crowding(members);
}

double InsideLink::sum_seconds(double bytes, int members) const {
  return sum_bandwidth > 0 ? bytes / sum_bandwidth * crowding(members) : 0;
}

double InsideLink::crowding(int members) const {
  return full_speed_members > 0 ? std::max(1.0, members / full_speed_members) : 1;
}

double GroupLinks::sending_bandwidth(int senders, int per_node) const {
  const double cards = node_bandwidth(per_node);
  return between.stream_bandwidth > 0 ? std::min(cards, senders * between.stream_bandwidth) : cards;
}

// The values were measured on rings of 2 to 8.
double GroupLinks::step_seconds(int per_node) const {
  constexpr int measured = 8;
  return inside.step_seconds * std::pow(std::min(per_node, measured) / double{measured}, step_growth);
}

std::vector<TransferDemand> demands_of(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                       const GroupLinks& links, const LibraryConstants& constants) {
  if (kind == CollectiveKind::barrier) bytes = barrier_bytes;
  std::vector<TransferDemand> demands = constants.algorithms_of(kind).empty()
                                            ? demands_of_nccl(kind, bytes, group, links, constants)
                                            : message_demands({kind, bytes, group, links, constants});
  for (TransferDemand& demand : demands) {
    demand.bytes = bytes;
    if (links.buffers == Buffers::gpu)
      demand.host_seconds += staged_seconds(staged_bytes(kind, bytes, group.members), constants);
  }
  return demands;
}

double staged_seconds(double bytes, const LibraryConstants& constants) {
  return constants.staging_bandwidth > 0 ? bytes / constants.staging_bandwidth : 0;
}

}  // namespace orrery::core
