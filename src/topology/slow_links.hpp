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

}  // namespace orrery
