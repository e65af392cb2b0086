// Simulated time is an integer number of picoseconds, for instants (since the start) and durations alike.
#pragma once

#include <compare>
#include <cstdint>

namespace orrery::core {

class Time {
 public:
  constexpr Time() = default;

  static constexpr Time from_ps(std::int64_t ps) { return Time(ps); }
  // Works for up to 9.2e15 ns (106 days); callers check what users give them.
  static constexpr Time from_ns(std::int64_t ns) { return Time(ns * 1000); }
  // Rounds to the nearest picosecond.
  static constexpr Time from_ns_rounded(double ns) { return Time(round_positive(ns * 1000.0)); }
  // Cuts to whole nanoseconds, toward zero.
  static constexpr Time from_ns_truncated(double ns) { return from_ns(static_cast<std::int64_t>(ns)); }

  constexpr std::int64_t ps() const { return ps_; }
  constexpr std::int64_t whole_ns() const { return ps_ / 1000; }
  constexpr double ns() const { return static_cast<double>(ps_) / 1000.0; }
  // Returns microseconds, the unit of reports. There is one division only, so whole nanoseconds print the
  // digits of ns / 1000.0.
  constexpr double us() const {
    const std::int64_t ns = ps_ / 1000;
    return ps_ % 1000 == 0 ? static_cast<double>(ns) / 1000.0 : static_cast<double>(ps_) / 1e6;
  }

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time& operator+=(Time other) {
    ps_ += other.ps_;
    return *this;
  }
  constexpr Time& operator-=(Time other) {
    ps_ -= other.ps_;
    return *this;
  }
  friend constexpr Time operator+(Time a, Time b) { return Time(a.ps_ + b.ps_); }
  friend constexpr Time operator-(Time a, Time b) { return Time(a.ps_ - b.ps_); }
  friend constexpr Time operator*(Time a, std::int64_t n) { return Time(a.ps_ * n); }

  // Returns the sum, or the largest time if the sum exceeds it. It is for sums over things that overlap,
  // which may be longer than any run.
  friend constexpr Time saturated_sum(Time a, Time b) {
    std::int64_t sum = 0;
    return Time(__builtin_add_overflow(a.ps_, b.ps_, &sum) ? INT64_MAX : sum);
  }

  // Returns the longest time a user may ask for in one input: 30 days, far less than the clock can count.
  static constexpr Time longest_input() { return from_ns(30LL * 86'400 * 1'000'000'000); }
  // Returns whether `ns` is from 0 to longest_input(); false if it is not a number.
  static constexpr bool is_input_ns(double ns) { return ns >= 0 && ns <= longest_input().ns(); }

 private:
  constexpr explicit Time(std::int64_t ps) : ps_(ps) {}
  static constexpr std::int64_t round_positive(double v) { return static_cast<std::int64_t>(v + 0.5); }

  std::int64_t ps_ = 0;
};

}  // namespace orrery::core
