// Hands things over one by one, at a distance in time: flits over a wire that is too narrow for them, and the
// credits that go back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace orrery {

class Serializer {
 public:
  // Makes a serializer in which `period` cycles pass from one item to the next, in the long run.
  explicit Serializer(double period = 1)
      : whole_(static_cast<std::int64_t>(period)),
        part_(static_cast<std::uint64_t>(std::llround((period - std::floor(period)) * one))) {}

  struct Item {
    std::uint32_t item;
    std::int64_t cycle;  // cycle in which it arrives
  };

  // Takes an item that can arrive in the cycle `earliest`, if it waits for no other item.
  void take(std::uint32_t item, std::int64_t earliest) {
    const Instant next = after(last_);
    last_ = next.cycle >= earliest ? next : Instant{earliest, 0};
    const auto line =
        static_cast<std::uint64_t>((last_.cycle - earliest) / std::max<std::int64_t>(whole_, 1));
    longest_ = std::max(longest_, line);
    items_.push_back({item, last_.cycle});
  }

  // Calls f(item, cycle) for items that arrive before `latest` and for which it has not been called.
  template <class F>
  void release(std::int64_t latest, const F& f) {
    while (first_ < items_.size() && items_[first_].cycle < latest) {
      f(items_[first_].item, items_[first_].cycle);
      ++first_;
    }
    if (2 * first_ < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  // Returns the largest number of items that have stood in line.
  std::uint64_t longest_line() const { return longest_; }

 private:
  static constexpr double one = 4294967296.0;  // parts of a cycle
  struct Instant {
    std::int64_t cycle;
    std::uint64_t part;
  };
  Instant after(const Instant& instant) const {
    const std::uint64_t part = instant.part + part_;
    return {instant.cycle + whole_ + static_cast<std::int64_t>(part >> 32), part & 0xffffffff};
  }

  std::int64_t whole_;
  std::uint64_t part_;
  Instant last_{-(std::int64_t{1} << 40), 0};
  std::vector<Item> items_;  // items for which f has not been called, from first_ on
  std::size_t first_ = 0;
  std::uint64_t longest_ = 0;
};

}  // namespace orrery
