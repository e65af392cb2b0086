// Bandwidth that remembers the unit it was given in, so that neither GB/s (10^9) nor GiB/s (2^30) loses bits.
#pragma once

namespace orrery::core {

class Bandwidth {
 public:
  constexpr Bandwidth() = default;
  static constexpr Bandwidth from_gib_per_s(double value) { return Bandwidth(value, true); }
  static constexpr Bandwidth from_gb_per_s(double value) { return Bandwidth(value, false); }

  constexpr double bytes_per_ns() const { return binary_ ? value_ * 1073741824.0 / 1000000000.0 : value_; }
  constexpr double gib_per_s() const { return binary_ ? value_ : value_ * 1000000000.0 / 1073741824.0; }

 private:
  constexpr Bandwidth(double value, bool binary) : value_(value), binary_(binary) {}

  double value_ = 0;
  bool binary_ = false;
};

}  // namespace orrery::core
