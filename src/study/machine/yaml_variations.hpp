// Reads keys of an experiment file that make ranks differ. Where a map may stand, a list of such maps may
// stand, too. An empty list says nothing.
//
//   stragglers: { ranks: [3, 8-15], slowdown: 1.2 }
//   compute-jitter: { spread: 0.05, seed: 7 }
//   slow-links: { dimension: dim0, group-of: 5, slowdown: 2 }       # or `ranks`
#pragma once

#include <cstdint>
#include <vector>

#include "base/input/keys.hpp"
#include "topology/slow_links.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// A short text can name many ranks, many times. This bounds the time and memory that an experiment may take.
class RankBudget {
 public:
  // Throws InputError when too little is left.
  void take(std::int64_t ranks, const SourceLocation& where);

 private:
  std::int64_t left_ = most;

  static constexpr std::int64_t most = 1 << 26;
};

// Returns the slowdown by rank, as in RunSpec. Either node may be null. Throws InputError, as does the next
// function.
std::vector<double> read_yaml_compute_slowdown(const InputNode* stragglers, const InputNode* jitter,
                                               const Topology& topology, RankBudget& budget);

// Leaves out links that are slower by a factor of 1.
std::vector<SlowLinks> read_yaml_slow_links(const InputNode& links, const Topology& topology,
                                            RankBudget& budget);

// Return the keys that may stand below `stragglers`, `compute-jitter` and `slow-links`: ".ranks", "[].ranks"
// and so on.
std::vector<KeyPath> yaml_straggler_keys();
std::vector<KeyPath> yaml_jitter_keys();
std::vector<KeyPath> yaml_slow_link_keys();

}  // namespace orrery::core
