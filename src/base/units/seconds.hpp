// A time that a model works out as a real number, because many small terms would lose more by being rounded
// one by one. It becomes simulated time only by rounded().
#pragma once

#include <compare>

#include "base/units/time.hpp"

namespace orrery::core {

class Seconds {
 public:
  constexpr Seconds() = default;
  constexpr explicit Seconds(double count) : count_(count) {}
  static constexpr Seconds of(Time time) { return Seconds(time.ns() * 1e-9); }

  constexpr double count() const { return count_; }
  // Rounds to the nearest picosecond.
  constexpr Time rounded() const { return Time::from_ns_rounded(count_ * 1e9); }

  constexpr auto operator<=>(const Seconds&) const = default;
  constexpr Seconds& operator+=(Seconds other) {
    count_ += other.count_;
    return *this;
  }
  friend constexpr Seconds operator+(Seconds a, Seconds b) { return Seconds(a.count_ + b.count_); }
  friend constexpr Seconds operator-(Seconds a, Seconds b) { return Seconds(a.count_ - b.count_); }
  friend constexpr Seconds operator*(Seconds a, double factor) { return Seconds(a.count_ * factor); }
  friend constexpr Seconds operator/(Seconds a, double divisor) { return Seconds(a.count_ / divisor); }

 private:
  double count_ = 0;
};

}  // namespace orrery::core
