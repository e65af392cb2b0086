// Says how long bytes take at a rate.
#pragma once

#include <cstdint>

#include "events/clock.hpp"

namespace orrery::core {

class PacketClock {
 public:
  explicit PacketClock(bool whole_nanoseconds) : unit_(whole_nanoseconds ? 1000 : 1) {}

  // Returns the time in picoseconds, or rounded to whole nanoseconds, to the nearest; an exact half goes
  // down. The rate is in bit/s.
  Stamp transmission(std::uint64_t bytes, std::uint64_t rate) const {
    const auto units_per_s = static_cast<std::uint64_t>(1'000'000'000'000 / unit_);
    std::uint64_t scaled;
    if (!__builtin_mul_overflow(bytes * 8, units_per_s, &scaled)) return rounded(scaled, rate);
    __extension__ using Wide = unsigned __int128;
    return rounded(static_cast<Wide>(bytes * 8) * units_per_s, rate);
  }
  // Returns the first time that is not earlier and that the clock can count.
  Stamp not_before(Stamp at) const { return (at + unit_ - 1) / unit_ * unit_; }

 private:
  template <class Number>
  Stamp rounded(Number scaled, std::uint64_t rate) const {
    const auto units = static_cast<Stamp>(scaled / rate);
    const auto rest = static_cast<std::uint64_t>(scaled % rate);
    return (units + (rest > rate - rest ? 1 : 0)) * unit_;
  }

  Stamp unit_;  // unit in which times are counted
};

}  // namespace orrery::core
