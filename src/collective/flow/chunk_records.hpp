// Records what happened to rank 0's chunks: the raw material of every communication statistic.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

// A chunk's stay in one phase.
struct PhaseRecord {
  std::uint32_t chunk;
  std::uint32_t token;      // the collective's token, as given when it was issued
  std::uint16_t phase;      // index of the phase within the chunk, from 0
  std::uint16_t dimension;  // logical, counted over all communicators of the program
  Time entered, started, left;
  Time latency_sum;            // over the messages received: arrival minus posting of the receive
  std::uint64_t messages = 0;  // received
};

struct ChunkRecords {
  std::vector<PhaseRecord> phases;      // in the order in which they are entered
  std::vector<std::uint32_t> finished;  // chunks, in order of completion
};

}  // namespace orrery::core
