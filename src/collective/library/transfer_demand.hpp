// Computes what the algorithms of a library ask of the links, before any protocol.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/diagnostics/words.hpp"
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

enum class LibraryAlgorithm : std::uint8_t { ring, tree, nvls, sharp, pairwise };
inline constexpr std::array<EnumName<LibraryAlgorithm>, 5> library_algorithm_words{{
    {"ring", LibraryAlgorithm::ring},  // through all members
    {"tree", LibraryAlgorithm::tree},  // chains in nodes, a double binary tree over nodes
    // Reduction by the switches in nodes, and the double binary tree over nodes.
    {"nvls", LibraryAlgorithm::nvls},
    {"sharp", LibraryAlgorithm::sharp},        // reduction by the switches between nodes
    {"pairwise", LibraryAlgorithm::pairwise},  // every member sends to every other
}};

struct TransferDemand {
  LibraryAlgorithm algorithm = LibraryAlgorithm::ring;
  double bytes = 0;           // of the whole tensor
  double inside_steps = 0;    // steps inside a node, one after another
  double inside_latency = 0;  // seconds for all of them under the simple protocol
  bool in_switches = false;  // switches reduce inside the node, which needs no steps and cannot be done by LL
  double hops = 0;           // steps from node to node, one after another
  double inside_seconds = 0;  // seconds for the bytes inside a node, efficiency included
  double between_seconds = 0;
};

// The links that a group can use: their classes, and the group's share of the NICs.
struct GroupLinks {
  InsideLink inside;
  BetweenLink between;
  double nics_per_gpu = 1;
  double step_growth = 0;  // growth of a step, as the library has it

  bool operator==(const GroupLinks&) const = default;

  // Returns the latency of a step inside a node, for a group that has `per_node` members there.
  double step_seconds(int per_node) const;

  // Returns the bytes per second out of a node with `per_node` members of the group, efficiency included.
  double node_bandwidth(int per_node) const {
    return per_node * nics_per_gpu * between.bandwidth * between.efficiency;
  }
};

// Returns the demands of all algorithms for which the library's file has constants, for a collective of a
// group of two or more.
std::vector<TransferDemand> demands_of(CollectiveKind kind, double bytes, const GroupPlacement& group,
                                       const GroupLinks& links, const LibraryConstants& constants);

}  // namespace orrery::core
