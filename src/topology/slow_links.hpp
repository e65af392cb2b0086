// Describes NPUs whose links are slower than their dimension says.
#pragma once

#include <vector>

namespace orrery::core {

// Links of some NPUs into one dimension that are slower than the dimension says. Where several entries name
// the same NPU and dimension, their factors multiply.
struct SlowLinks {
  int dimension = 0;      // index in the topology
  std::vector<int> npus;  // ascending
  double slowdown = 1;    // >= 1: factor on the time that a message's bytes take
};

// The slowdown of each NPU's links into one dimension.
struct LinkSlowdown {
  double of_all = 1;           // slowdown if all NPUs are alike
  std::vector<double> by_npu;  // slowdowns if they differ; else empty

  bool differs() const { return !by_npu.empty(); }
};

LinkSlowdown slowdown_into(const std::vector<SlowLinks>& slow_links, int dimension, int npus);

}  // namespace orrery::core
