// The highest level that something has reached, since the beginning and since somebody looked last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace orrery::core {

class HighWaterMark {
 public:
  void rise_to(std::uint64_t level) { recent_ = std::max(recent_, level); }
  // Returns the highest level since the beginning.
  std::uint64_t highest() const { return std::max(recent_, before_); }
  // Returns the highest level since take_recent() was called last.
  std::uint64_t recent() const { return recent_; }
  // Returns the same, and begins anew at the present level.
  std::uint64_t take_recent(std::uint64_t level) {
    before_ = highest();
    return std::exchange(recent_, level);
  }

 private:
  std::uint64_t recent_ = 0, before_ = 0;
};

}  // namespace orrery::core
