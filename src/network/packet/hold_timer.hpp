// Counts how often priorities or lanes of a port are held up, and adds up for how long at least one of them
// is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "events/clock.hpp"

namespace orrery {

class HoldTimer {
 public:
  void begin(int number, Stamp now) {
    if ((held_ >> number & 1) != 0) return;
    if (held_ == 0) since_ = now;
    held_ |= 1u << number;
    ++count_;
  }
  void end(int number, Stamp now) {
    if (held_ == 0) return;
    held_ &= ~(1u << number);
    if (held_ == 0) total_ += now - since_;
  }

  std::uint64_t count() const { return count_; }
  // Returns the time until now, which may lie before the last event that was simulated.
  Stamp total(Stamp now) const { return held_ == 0 ? total_ : total_ + std::max<Stamp>(0, now - since_); }

 private:
  unsigned held_ = 0;  // a bit for each
  std::uint64_t count_ = 0;
  Stamp since_ = 0, total_ = 0;
};

}  // namespace orrery
