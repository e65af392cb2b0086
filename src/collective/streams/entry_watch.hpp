// The order in which a rank's streams enter a queue, as far as every simulation agrees on it.
#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace orrery {

// Where a stream has entered a queue; 0: within its instant, the order is not known.
struct QueuePlace {
  std::uint32_t queue = 0;
  std::uint32_t number = 0;
};

// Whether `a` is certain to have entered the queue before `b`.
inline bool comes_before(const QueuePlace& a, const QueuePlace& b) {
  return a.queue == b.queue && a.number != 0 && a.number < b.number;
}

class EntryWatch {
 public:
  // A stream enters, because of `cause`: what has the same cause happens in a known order.
  std::uint32_t enter(Time now, std::uint64_t cause) {
    if (now != last_) {
      last_ = now;
      cause_ = cause;
    } else if (cause != cause_) {
      doubtful_ = true;
      return 0;
    }
    return ++places_;
  }

  // Before anything happens to the queue: was the order of those that entered in an instant before `now`
  // not known, and has one of them to wait for the others? `waiting`: the last one to enter has not started.
  bool order_mattered(Time now, bool waiting) {
    if (!doubtful_ || now == last_) return false;
    doubtful_ = false;
    return waiting;
  }

 private:
  Time last_ = Time::from_ps(-1);
  std::uint64_t cause_ = 0;
  std::uint32_t places_ = 0;
  bool doubtful_ = false;
};

}  // namespace orrery
