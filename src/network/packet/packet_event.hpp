// An event that is going to happen in a network of packets.
#pragma once

#include <cstdint>

#include "events/clock.hpp"

namespace orrery {

struct PacketEvent {
  Stamp at = 0;
  std::uint64_t order_and_what = 0;  // `order` decides among events of the same time
  std::uint32_t object = 0;          // `what` says what this and `extra` mean
  std::uint32_t extra = 0;

  static constexpr int what_bits = 8;
  __extension__ using Key = unsigned __int128;

  std::uint64_t order() const { return order_and_what >> what_bits; }
  std::uint32_t what() const { return order_and_what & ((1u << what_bits) - 1); }
  // Returns a key that is smaller for the event that comes first. Times are not negative.
  static Key key_of(Stamp at, std::uint64_t order_and_what) {
    return static_cast<Key>(static_cast<std::uint64_t>(at)) << 64 | order_and_what;
  }
  Key key() const { return key_of(at, order_and_what); }
};

}  // namespace orrery
