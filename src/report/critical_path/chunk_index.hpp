// Finds what happened to chunks of collectives at a given time.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/flow/chunk_records.hpp"

namespace orrery {

class ChunkIndex {
 public:
  // Keeps a reference.
  explicit ChunkIndex(const ChunkRecords& chunks);

  // Each of these returns a phase that was left at that time and took some time, or null where there is none.
  // The first looks for a phase of a collective, the second for one in a dimension, the third for any.
  const PhaseRecord* left(Time at, std::uint32_t token) const;
  const PhaseRecord* left_dimension(Time at, std::uint16_t dimension) const;
  const PhaseRecord* left(Time at) const;
  // Returns the chunk's phase before that one. Null: it is the first.
  const PhaseRecord* before(const PhaseRecord& phase) const;

 private:
  template <class Wanted>
  const PhaseRecord* find(Time at, const Wanted& wanted) const;

  const ChunkRecords& chunks_;
  std::vector<std::uint32_t> by_end_;    // places of phases
  std::vector<std::uint32_t> by_chunk_;  // places of phases, by chunk and phase
};

}  // namespace orrery
