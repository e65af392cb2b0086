// For how long the priorities of a port have had to wait for the other end of the link.
#pragma once

#include <array>
#include <cstddef>

#include "events/clock.hpp"
#include "network/packet/egress_queues.hpp"

namespace orrery {

class PauseTimes {
 public:
  // Returns whether the priority did not wait before.
  bool begin(int priority, Stamp now) {
    if ((running_ >> priority & 1) != 0) return false;
    running_ |= 1u << priority;
    since_[static_cast<std::size_t>(priority)] = now;
    return true;
  }
  void end(int priority, Stamp now) {
    if ((running_ >> priority & 1) == 0) return;
    running_ &= ~(1u << priority);
    sum_ += now - since_[static_cast<std::size_t>(priority)];
  }
  // Returns the sum over all priorities.
  Stamp until(Stamp now) const {
    Stamp sum = sum_;
    for (std::size_t priority = 0; priority < since_.size(); ++priority)
      if ((running_ >> priority & 1) != 0) sum += now - since_[priority];
    return sum;
  }

 private:
  unsigned running_ = 0;  // a bit per priority
  Stamp sum_ = 0;
  std::array<Stamp, priorities> since_{};
};

}  // namespace orrery
