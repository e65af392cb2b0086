#include "study/machine/rank_variations.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery::core {

std::vector<double> compute_slowdown(const std::vector<Straggler>& stragglers, const ComputeJitter& jitter,
                                     int npus) {
  if (stragglers.empty() && jitter.spread == 0) return {};
  std::vector<double> factors(static_cast<std::size_t>(npus), 1.0);
  if (jitter.spread > 0) {
    Random random(jitter.seed);
    for (double& factor : factors) factor = 1 + jitter.spread * random.fraction();
  }
  for (const Straggler& straggler : stragglers)
    for (const RankRange& range : straggler.ranks)
      for (int rank = range.first; rank <= range.last; ++rank)
        factors[static_cast<std::size_t>(rank)] *= straggler.slowdown;
  if (std::all_of(factors.begin(), factors.end(), [](double factor) { return factor == 1; })) return {};
  return factors;
}

std::vector<int> ranks_in(const std::vector<RankRange>& ranges) {
  std::vector<int> ranks;
  for (const RankRange& range : ranges)
    for (int rank = range.first; rank <= range.last; ++rank) ranks.push_back(rank);
  return ranks;
}

std::vector<int> instance_of(const Topology& topology, int dimension, int npu) {
  const LogicalDimension along = logical_dimensions(topology)[static_cast<std::size_t>(dimension)];
  std::vector<int> npus;
  for (int position = 0; position < along.size; ++position)
    npus.push_back(along.base(npu) + position * along.stride);
  return npus;
}

}  // namespace orrery::core
