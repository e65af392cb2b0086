// Defines how instants are kept in the event queue.
//
// Normally a Stamp is a picosecond count. The one exception is ASTRA-sim 1.0 with a memory (HBM) term: there
// the reference adds binary64 nanoseconds, and the last bit of such a sum can decide in which nanosecond an
// event falls. In that mode a Stamp holds the bit pattern of the double; for non-negative doubles the
// patterns order like the numbers, so the queue need not know.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

using Stamp = std::int64_t;

class Clock {
 public:
  enum class Mode { picoseconds, binary64_nanoseconds };

  constexpr explicit Clock(Mode mode) : exact_(mode == Mode::picoseconds) {}

  bool counts_picoseconds() const { return exact_; }

  Stamp span(Time duration) const {
    return exact_ ? duration.ps() : std::bit_cast<Stamp>(static_cast<double>(duration.whole_ns()));
  }
  // Returns the span of a duration in real nanoseconds. Picosecond clocks round it.
  Stamp span_of_ns(double ns) const {
    return exact_ ? Time::from_ns_rounded(ns).ps() : std::bit_cast<Stamp>(ns);
  }
  // Returns an instant in real nanoseconds, rounded. Requires a clock that counts picoseconds.
  static Stamp instant_of_ns(double ns) {
    if (ns > longest_ns) throw_too_long();
    return std::llround(ns * 1000);
  }
  Stamp add(Stamp a, Stamp b) const {
    Stamp sum;
    if (exact_) {
      if (__builtin_add_overflow(a, b, &sum)) throw_too_long();
      return sum;
    }
    const double ns = as_ns(a) + as_ns(b);
    if (ns > longest_ns) throw_too_long();
    return std::bit_cast<Stamp>(ns);
  }
  // Returns n times a span. Requires a clock that counts picoseconds.
  Stamp times(Stamp span, std::uint64_t n) const {
    Stamp product;
    if (__builtin_mul_overflow(span, n, &product)) throw_too_long();
    return product;
  }
  // Returns a - b, or zero when b is later.
  Stamp difference(Stamp a, Stamp b) const {
    if (b >= a) return 0;
    return exact_ ? a - b : std::bit_cast<Stamp>(as_ns(a) - as_ns(b));
  }
  // Returns the time that the layers above see: in binary64 mode the whole nanosecond.
  Time time(Stamp stamp) const {
    return exact_ ? Time::from_ps(stamp) : Time::from_ns(static_cast<std::int64_t>(std::floor(as_ns(stamp))));
  }

 private:
  static double as_ns(Stamp stamp) { return std::bit_cast<double>(stamp); }
  static constexpr double longest_ns = 9.2e15;  // what a Time can hold
  [[noreturn, gnu::noinline]] static void throw_too_long() {
    throw InputError({},
                     "the simulated time exceeds 106 days, check the units of times, sizes and bandwidths");
  }

  bool exact_;
};

}  // namespace orrery::core
