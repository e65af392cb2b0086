// Spreads intervals over lanes such that those of a lane do not overlap.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "simulate/recording.hpp"

namespace orrery::core {

class Lanes {
 public:
  // Returns the lane of the next interval, which is the first one that is free. Intervals have to come in the
  // order of their starts.
  std::size_t place(const Interval& interval) {
    for (; !busy_.empty() && busy_.top().first <= interval.start; busy_.pop()) free_.push(busy_.top().second);
    std::size_t lane = lanes_;
    if (free_.empty()) {
      ++lanes_;
    } else {
      lane = free_.top();
      free_.pop();
    }
    busy_.emplace(interval.end, lane);
    return lane;
  }

 private:
  template <class T>
  using SmallestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

  SmallestFirst<std::pair<Time, std::size_t>> busy_;  // times until which they are, with their lanes
  SmallestFirst<std::size_t> free_;
  std::size_t lanes_ = 0;
};

}  // namespace orrery::core
