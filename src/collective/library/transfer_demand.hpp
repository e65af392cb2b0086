// Computes what the algorithms of a library ask of the links, before any protocol.
#pragma once

#include <algorithm>
#include <vector>

#include "collective/library/library_constants.hpp"
#include "collective/plan/system_config.hpp"

namespace orrery::core {

// The placement of a group's members: `per_node` of them in each of members / per_node nodes.
struct GroupPlacement {
  int members = 1;
  int per_node = 1;  // divides `members`

  int nodes() const { return members / per_node; }
  bool operator==(const GroupPlacement&) const = default;
};

struct TransferDemand {
  LibraryAlgorithm algorithm = LibraryAlgorithm::ring;
  double bytes = 0;           // of the whole tensor
  double inside_steps = 0;    // steps inside a node, one after another
  double inside_latency = 0;  // seconds for all of them under the simple protocol
  bool in_switches = false;  // switches reduce inside the node, which needs no steps and cannot be done by LL
  double hops = 0;           // steps from node to node, one after another
  double inside_seconds = 0;  // seconds for the bytes inside a node, efficiency included
  double between_seconds = 0;
  bool in_turn = false;     // the bytes inside nodes and between them follow each other
  double host_seconds = 0;  // of sums, memory and copies by the host

  double byte_seconds() const {
    return in_turn ? inside_seconds + between_seconds : std::max(inside_seconds, between_seconds);
  }
};

// The links that a group can use: their classes, and the group's share of the NICs.
struct GroupLinks {
  InsideLink inside;
  BetweenLink between;
  double nics_per_gpu = 1;
  double step_growth = 0;  // growth of a step, as the library has it
  Buffers buffers = Buffers::gpu;

  bool operator==(const GroupLinks&) const = default;

  // Returns the latency of a step inside a node, for a group that has `per_node` members there.
  double step_seconds(int per_node) const;

  // Returns the bytes per second that `senders` of a node's members can send out of it.
  double sending_bandwidth(int senders, int per_node) const;
  // Returns the bytes per second out of a node with `per_node` members of the group, efficiency included.
  double node_bandwidth(int per_node) const {
    return per_node * nics_per_gpu * between.bandwidth * between.efficiency;
  }
};

// Lets a demand have steps inside a node, which take their time one after another.
void set_steps(double steps, const GroupPlacement& group, const GroupLinks& links, TransferDemand& demand);

// Returns the demand of a ring of n members over N nodes. All bytes pass all links `rounds` times, or more
// exactly (n - 1) / n of them.
TransferDemand ring_demand(double rounds, double bytes, const GroupPlacement& group, const GroupLinks& links);

// Returns the seconds in which bytes are copied between a GPU and its host.
double staged_seconds(double bytes, const LibraryConstants& constants);

// Returns the demands of all algorithms for which the library's file has constants, for a collective of a
// group of two or more.
std::vector<TransferDemand> demands_of(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                       const GroupLinks& links, const LibraryConstants& constants);

}  // namespace orrery::core
