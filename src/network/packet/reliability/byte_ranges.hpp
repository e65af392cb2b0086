// The bytes of a stream that have arrived although bytes before them are missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace orrery::core {

class ByteRanges {
 public:
  // Adds the bytes from `first` up to `end`.
  void add(std::uint64_t first, std::uint64_t end) {
    const auto from = std::ranges::lower_bound(ranges_, first, {}, &Range::end);
    auto to = from;
    for (; to != ranges_.end() && to->first <= end; ++to) {
      first = std::min(first, to->first);
      end = std::max(end, to->end);
    }
    if (from == to) {
      ranges_.insert(from, {first, end});
      return;
    }
    *from = {first, end};
    ranges_.erase(from + 1, to);
  }
  // Returns the first byte from `first` on that is missing, and forgets what lies before it.
  [[nodiscard]] std::uint64_t take_from(std::uint64_t first) {
    std::size_t passed = 0;
    while (passed < ranges_.size() && ranges_[passed].first <= first)
      first = std::max(first, ranges_[passed++].end);
    ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(passed));
    return first;
  }
  bool empty() const { return ranges_.empty(); }

 private:
  struct Range {
    std::uint64_t first, end;
  };
  std::vector<Range> ranges_;  // in ascending order; they do not touch
};

// Takes in a packet in any order, and moves the first missing byte on.
inline void take_in_any_order(ByteRanges& ahead, std::uint64_t& expected, std::uint64_t first,
                              std::uint64_t bytes) {
  if (first > expected) {
    ahead.add(first, first + bytes);
    return;
  }
  expected = std::max(expected, first + bytes);
  if (!ahead.empty()) expected = ahead.take_from(expected);
}

}  // namespace orrery::core
