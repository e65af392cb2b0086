// The wheel tells what happens in each cycle that is not far ahead.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace orrery {

class CycleWheel {
 public:
  // Makes a wheel for cycles that lie less than `horizon` ahead.
  explicit CycleWheel(std::int64_t horizon)
      : slots_(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(horizon, 64)))),
        lists_(slots_),
        used_(slots_ / 64) {}

  std::int64_t horizon() const { return static_cast<std::int64_t>(slots_); }
  bool empty() const { return held_ == 0; }

  void add(std::int64_t cycle, std::uint32_t item) {
    const std::uint64_t slot = slot_of(cycle);
    std::vector<std::uint32_t>& list = lists_[slot];
    if (list.empty()) {
      used_[slot / 64] |= std::uint64_t{1} << slot % 64;
      ++held_;
    }
    list.push_back(item);
  }

  // Calls f(item) for each item of the cycle, in the order in which they were added. `f` must not add items
  // to this cycle.
  template <class F>
  void take(std::int64_t cycle, const F& f) {
    const std::uint64_t slot = slot_of(cycle);
    std::vector<std::uint32_t>& list = lists_[slot];
    if (list.empty()) return;
    for (const std::uint32_t item : list) f(item);
    list.clear();
    used_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    --held_;
  }

  // Returns the first cycle from `cycle` on that has an item. The wheel must not be empty.
  std::int64_t next(std::int64_t cycle) const {
    const std::uint64_t from = slot_of(cycle);
    std::uint64_t word = from / 64;
    std::uint64_t bits = used_[word] & (~std::uint64_t{0} << from % 64);
    while (bits == 0) {
      word = (word + 1) % used_.size();
      bits = used_[word];
    }
    const std::uint64_t slot = word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
    return cycle + static_cast<std::int64_t>((slot + slots_ - from) & (slots_ - 1));
  }

 private:
  std::uint64_t slot_of(std::int64_t cycle) const { return static_cast<std::uint64_t>(cycle) & (slots_ - 1); }

  std::uint64_t slots_;
  std::vector<std::vector<std::uint32_t>> lists_;  // by cycle modulo slots_
  std::vector<std::uint64_t> used_;                // slots with items, as bits
  std::uint64_t held_ = 0;                         // number of items
};

}  // namespace orrery
