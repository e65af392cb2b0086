// Where NPUs differ in their links, which a dimension describes for all alike.
#pragma once

#include <vector>

namespace orrery {

// Links of some NPUs into one dimension that are slower than the dimension says. Where several of these name
// the same NPU and dimension, their factors multiply.
struct SlowLinks {
  int dimension = 0;      // of the topology
  std::vector<int> npus;  // ascending
  double slowdown = 1;    // >= 1: factor on the time that a message's bytes take
};

// By NPU, the factor of its links into `dimension`; empty where none are slow.
inline std::vector<double> slowdown_by_npu(const std::vector<SlowLinks>& slow_links, int dimension,
                                           int npus) {
  std::vector<double> slowdown;
  for (const SlowLinks& slow : slow_links) {
    if (slow.dimension != dimension) continue;
    slowdown.resize(static_cast<std::size_t>(npus), 1.0);
    for (int npu : slow.npus) slowdown[npu] *= slow.slowdown;
  }
  return slowdown;
}

}  // namespace orrery
