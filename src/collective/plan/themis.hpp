// Themis: chooses per chunk in which order it passes the dimensions, so that all dimensions finish together.
// Rashidi et al., "Themis: a network bandwidth-aware collective scheduling policy for distributed training of
// DL models", ISCA 2022. Greedy and offline: it keeps an estimate of each dimension's load and never looks at
// the network. docs/models/themis.md has the rules. The oddities of ASTRA-sim 1.0 are rules of its dialect,
// since published numbers hold them.
#pragma once

#include <vector>

#include "base/dialect.hpp"
#include "collective/plan/plan.hpp"

namespace orrery::core {

class Themis {
 public:
  // Takes sizes and bandwidths (in any one unit) per dimension. `flexible` lets the first dimension's gap set
  // a chunk's size.
  Themis(std::vector<int> sizes, const std::vector<double>& bandwidths, int gap_denominator, bool flexible,
         const Dialect& dialect);

  // Forgets all loads.
  void reset();

  struct Choice {
    Bytes bytes;             // of this chunk
    std::vector<int> order;  // all dimensions; the caller skips those that do not take part
  };
  // Chooses the next chunk of a reduce-scatter, all-gather or all-reduce of which `rest` bytes are left;
  // `preferred` is its usual chunk size.
  Choice next_chunk(CollectiveKind kind, const DimensionSet& dimensions, Bytes rest, Bytes preferred);

 private:
  struct Load {
    int dimension;
    double value;
  };
  using Loads = std::vector<Load>;

  bool takes_part(int dimension, const DimensionSet& dimensions) const {
    return dimensions[dimension] && sizes_[dimension] != 1;
  }
  double largest_load() const;
  Choice balancing_chunk(bool gather, const DimensionSet& dimensions, Bytes rest, Bytes preferred);
  // Adds the work of `bytes` in `dimension` to a load and returns what is left for the next dimension.
  Bytes grow(Load& load, int dimension, Bytes bytes, bool gather);
  Bytes gap(std::size_t first, const DimensionSet& dimensions, bool gather) const;
  std::vector<int> plain_order(const DimensionSet& dimensions, Bytes bytes, bool gather);

  std::vector<int> sizes_;
  std::vector<double> bandwidth_ratios_;  // bandwidth of each dimension divided by that of the first
  std::uint64_t gap_denominator_;
  bool flexible_, mirrors_gathers_, idle_dimensions_count_;
  Loads loads_;  // keeps its order from chunk to chunk
};

}  // namespace orrery::core
