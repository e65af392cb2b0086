// Series of values by intervals of a run, which have equal lengths. There are never more than 128 intervals:
// when time goes on, they become twice as long, and the values of two are joined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace orrery::core {

// `Value() += value` joins values. Value() is that of an interval in which nothing happened.
template <class Value>
class IntervalSeries {
 public:
  static constexpr std::size_t max_intervals = 128;

  IntervalSeries(std::size_t series, double first_interval_ns)
      : interval_ns_(first_interval_ns), values_(series) {}

  double interval_ns() const { return interval_ns_; }
  // Makes intervals twice as long.
  void double_interval() {
    interval_ns_ *= 2;
    for (std::vector<Value>& of : values_) {
      if (of.empty()) continue;
      for (std::size_t i = 0; i < max_intervals / 2; ++i) {
        of[i] = of[2 * i];
        of[i] += of[2 * i + 1];
      }
      std::fill(of.begin() + max_intervals / 2, of.end(), Value());
    }
  }
  // Returns all values of a series, to be changed.
  std::vector<Value>& all(std::size_t series) {
    values_[series].resize(max_intervals);
    return values_[series];
  }
  // Returns the first values of a series. There are none if all() has never been asked for them.
  std::vector<Value> first(std::size_t series, std::size_t intervals) const {
    std::vector<Value> of = values_[series];
    if (!of.empty()) of.resize(intervals);
    return of;
  }

 private:
  double interval_ns_;
  std::vector<std::vector<Value>> values_;
};

}  // namespace orrery::core
