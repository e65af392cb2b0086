// This is how a machine of ASTRA-sim 2 runs collectives (docs/models/streams.md).
#pragma once

#include <algorithm>
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

// Ranks that run collectives among themselves, in the order in which they are listed.
struct CommGroup {
  std::string name;
  std::uint64_t tag_base = 0;
  std::vector<int> members;

  // Returns the place in the list at which a member stands.
  std::uint32_t position(std::uint32_t rank) const {
    return static_cast<std::uint32_t>(std::ranges::find(members, static_cast<int>(rank)) - members.begin());
  }
};

// Returns the tag base of a group; 0 for all ranks.
inline std::uint64_t tag_base_of(const CommGroup* group) {
  return group ? group->tag_base : 0;
}

// A collective as one rank asks for it.
struct StreamRequest {
  CollectiveKind kind = CollectiveKind::all_reduce;
  Bytes size;
  std::uint32_t dimensions = 0xffffffff;    // bit d: dimension d takes part
  const CommGroup* group = nullptr;         // null: all ranks
  const CustomAlgorithm* custom = nullptr;  // instead of the machine's own
  std::uint32_t root = 0;                   // rank, one of those that take part
  int priority = 0;                         // for StreamPriority::explicit_
};

}  // namespace orrery
