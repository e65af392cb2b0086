// This is how a machine of ASTRA-sim 2 runs collectives (docs/models/streams.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "collective/system_config.hpp"

namespace orrery {

enum class StreamPriority { lifo, fifo, explicit_ };

// Kinds with a root name one algorithm per dimension, or one for all; none: they do not run.
struct StreamConfig : CollectiveConfig {
  StreamPriority priority = StreamPriority::lifo;
  int splits = 1;              // number of chunks of a collective
  double memory_gb_per_s = 0;  // local-mem-bw; 0: reductions cost nothing

  bool runs(CollectiveKind kind) const { return !algorithms_of(kind).empty(); }
};

// A collective as one rank asks for it.
struct StreamRequest : CollectiveRequest {
  const Communicator* group = nullptr;      // of those that list their members; null: all ranks
  const CustomAlgorithm* custom = nullptr;  // instead of the machine's own
};

// Returns the first tag of a group; 0 for all ranks.
inline std::uint64_t tag_base_of(const Communicator* group) {
  return group ? group->tags : 0;
}

}  // namespace orrery
