// Works out means of times over ranks.
#pragma once

#include <cstdint>

#include "report/breakdown/rank_spans.hpp"

namespace orrery::core {

// Adds up times of ranks, and gives their means. Sums may be longer than the longest time.
class RankSum {
 public:
  void add(Time time, std::uint64_t ranks) {
    sum_ += static_cast<Int128>(time.ps()) * static_cast<Int128>(ranks);
  }
  void add(const RankSum& other) { sum_ += other.sum_; }
  // Returns the mean in whole picoseconds, cut, so that means of parts are never more than that of the whole.
  Time mean(std::uint64_t ranks) const;

 private:
  __extension__ using Int128 = __int128;
  Int128 sum_ = 0;
};

// Gives the mean of what several ranks spend a step on.
class MeanParts {
 public:
  void add(const TimeParts& parts, std::uint64_t ranks);
  void add(const MeanParts& other);
  std::uint64_t ranks() const { return ranks_; }
  // Returns means that add up to the step: exposed communication takes the rounding.
  TimeParts mean(Time step) const;

 private:
  RankSum compute_, host_, memory_, update_, contention_, bubble_, exposed_, idle_;
  std::uint64_t ranks_ = 0;
};

}  // namespace orrery::core
