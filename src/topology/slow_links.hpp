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

// How slow the links of each NPU into one dimension are.
struct LinkSlowdown {
  double of_all = 1;           // where all NPUs are alike
  std::vector<double> by_npu;  // where they differ; else empty

  bool differs() const { return !by_npu.empty(); }
};

LinkSlowdown slowdown_into(const std::vector<SlowLinks>& slow_links, int dimension, int npus);

}  // namespace orrery
