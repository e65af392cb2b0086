// Says what the algorithms of MPI libraries ask of the links (Thakur, Rabenseifner and Gropp, "Optimization
// of Collective Communication Operations in MPICH", 2005; neighbour exchange: Chen, Zhang, Zhang and Yuan,
// 2005). They send whole messages, one after another, where NCCL streams pieces. The ranks of a node have
// consecutive numbers, and partners are near first, so log2 of a node's members steps are inside nodes and
// the others are between them. Sums and temporary buffers take the host's time.
//
//   S bytes, n members    messages one after another    bytes that a member sends     bytes that it adds up
//   recursive doubling    log2 n, of S each             S log2 n                      S log2 n
//     all-gather          log2 n                        S (n - 1) / n                 0
//   recursive halving     log2 n                        S (n - 1) / n                 S (n - 1) / n
//   halving-doubling      2 log2 n                      2 S (n - 1) / n               S (n - 1) / n
//   neighbour exchange    n / 2                         S (n - 1) / n                 0
//   binomial tree         log2 n, of S each             S log2 n (the root)           0
//   scatter-doubling      2 log2 n                      2 S (n - 1) / n               0
//   scatter-ring          log2 n + n - 1                2 S (n - 1) / n               0
//
// A number of members that is no power of two counts as the next one in log2. Doubling of different parts
// exists only for powers of two, and neighbour exchange for even numbers.
#pragma once

#include <vector>

#include "collective/library/transfer_demand.hpp"

namespace orrery::core {

struct MessageCollective {
  CollectiveKind kind;
  double bytes;  // of the whole tensor
  const GroupPlacement& group;
  const GroupLinks& links;
  const LibraryConstants& constants;
};

// Returns whether there is such an algorithm for a kind of collective.
bool is_algorithm_of(CollectiveKind kind, LibraryAlgorithm algorithm);
// Returns whether groups of all sizes can use it.
bool is_for_any_group(CollectiveKind kind, LibraryAlgorithm algorithm);
// Returns the words of the algorithms for a kind of collective.
std::vector<std::string_view> algorithms_for(CollectiveKind kind);
// Returns the demands of those of the library's algorithms that a group of this size can use.
std::vector<TransferDemand> message_demands(const MessageCollective& collective);

}  // namespace orrery::core
