// Simulated time.
//
//   const orrery::Time launch = orrery::Time::picoseconds(5'000'000);
//   std::cout << (run.time() + launch).microseconds() << " us\n";
#pragma once

#include <compare>
#include <cstdint>

namespace orrery {

// A duration, or an instant since the start of a run, as a whole number of picoseconds: sums are exact.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time picoseconds(std::int64_t count) { return Time(count); }

  constexpr std::int64_t picoseconds() const { return ps_; }
  constexpr double nanoseconds() const { return static_cast<double>(ps_) / 1e3; }
  constexpr double microseconds() const { return static_cast<double>(ps_) / 1e6; }
  constexpr double seconds() const { return static_cast<double>(ps_) / 1e12; }

  constexpr auto operator<=>(const Time&) const = default;
  friend constexpr Time operator+(Time a, Time b) { return Time(a.ps_ + b.ps_); }
  friend constexpr Time operator-(Time a, Time b) { return Time(a.ps_ - b.ps_); }

 private:
  constexpr explicit Time(std::int64_t ps) : ps_(ps) {}

  std::int64_t ps_ = 0;
};

}  // namespace orrery
