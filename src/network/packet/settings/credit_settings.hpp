// The settings of links with credits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace orrery::core {

// Lanes and service levels are numbered from 1, because 0 is for what links say to each other.
inline constexpr int max_lanes = 7;
inline constexpr std::uint64_t credit_block = 64;  // bytes of a block, in which buffers are counted

// A turn of a lane: it may send that many blocks before the next entry of its table has a turn.
struct LaneTurn {
  int lane = 1;
  int weight = 1;
};

struct CreditSettings {
  // Counters of blocks have 12 bits on the wire and are compared with half of their range.
  static constexpr std::uint64_t max_blocks = 2047;

  // Bytes of a lane's buffer at the end of a link.
  std::uint64_t buffer = max_blocks * credit_block;
  std::array<int, max_lanes + 1> lanes{0, 1, 2, 3, 4, 5, 6, 7};  // by service level
  // Lanes that send first, and those that take turns; both empty: all lanes, packet by packet.
  std::vector<LaneTurn> high, low;
  // Times 4 KiB that lanes of `high` may send while `low` waits; 255: any number.
  std::uint64_t high_limit = 255;
};

}  // namespace orrery::core
