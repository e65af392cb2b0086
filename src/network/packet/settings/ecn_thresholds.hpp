// Lengths of a queue from which on packets are marked.
#pragma once

#include <cstdint>

namespace orrery::core {

struct EcnThresholds {
  std::uint64_t rate = 0;  // bandwidth of the links that they are meant for, bit/s
  std::uint64_t min_bytes = 0, max_bytes = 0;
  double probability = 0;  // share that is marked at `max_bytes`; beyond that all packets are marked
};

}  // namespace orrery::core
