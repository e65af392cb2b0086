// The differences between ranks, as an experiment describes them, and their effect on each rank.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace orrery::core {

struct RankRange {
  int first = 0, last = 0;  // both included

  bool operator==(const RankRange&) const = default;
};

struct Straggler {
  std::vector<RankRange> ranks;
  double slowdown = 1;
};

// A rank's compute times are multiplied by 1 + spread * u with u uniform in [0, 1). The u of rank r is draw r
// of Random(seed), so it does not depend on how many ranks there are.
struct ComputeJitter {
  double spread = 0;
  std::uint64_t seed = 0;
};

// Returns the factor on each rank's compute times, which is the product of all that apply to it. It is empty
// when all are exactly 1. The ranks have to be below `npus`.
std::vector<double> compute_slowdown(const std::vector<Straggler>& stragglers, const ComputeJitter& jitter,
                                     int npus);

std::vector<int> ranks_in(const std::vector<RankRange>& ranges);

// Returns the NPUs that `npu` reaches within one dimension of the topology, itself included, ascending.
std::vector<int> instance_of(const Topology& topology, int dimension, int npu);

}  // namespace orrery::core
