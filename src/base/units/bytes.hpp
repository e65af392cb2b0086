// A number of bytes: message, chunk and tensor sizes.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

namespace orrery::core {

class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::uint64_t count) : count_(count) {}
  // Rounds to the nearest whole number.
  static Bytes rounded(double count) { return Bytes(static_cast<std::uint64_t>(std::llround(count))); }

  constexpr std::uint64_t count() const { return count_; }
  constexpr double as_double() const { return static_cast<double>(count_); }
  // Returns mebibytes. Columns titled MB in the original's files hold mebibytes, too.
  constexpr double mib() const { return static_cast<double>(count_) / (1024.0 * 1024.0); }

  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes other) {
    count_ += other.count_;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes other) {
    count_ -= other.count_;
    return *this;
  }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes(a.count_ + b.count_); }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes(a.count_ - b.count_); }
  friend constexpr Bytes operator*(Bytes a, std::uint64_t n) { return Bytes(a.count_ * n); }
  // Rounds down, as every algorithm here splits its data.
  friend constexpr Bytes operator/(Bytes a, std::uint64_t n) { return Bytes(a.count_ / n); }

  // Returns 8 PiB, the most that a user may ask for in one input. It is exact in binary64.
  static constexpr Bytes largest_input() { return Bytes(std::uint64_t{1} << 53); }

 private:
  std::uint64_t count_ = 0;
};

}  // namespace orrery::core
