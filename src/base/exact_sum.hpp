// Adds up numbers of which many cancel out, without what is lost by rounding growing with their number.
#pragma once

namespace orrery::core {

// The sum, and beside it what rounding has taken from it (Knuth, TAOCP 2, section 4.2.2, theorem B).
class ExactSum {
 public:
  void add(double number) {
    const double sum = sum_ + number, added = sum - sum_;
    rest_ += (sum_ - (sum - added)) + (number - added);
    sum_ = sum;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

}  // namespace orrery::core
