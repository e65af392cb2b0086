// From which length of a queue on packets are marked.
#pragma once

#include <cstdint>

namespace orrery {

struct EcnThresholds {
  std::uint64_t rate = 0;  // bit/s, of the link that they are for
  std::uint64_t least_bytes = 0, most_bytes = 0;
  double probability = 0;  // at `most_bytes`; above it all are marked
};

}  // namespace orrery
