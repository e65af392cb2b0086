// Keeps the order in which a rank's streams enter a queue, as far as every simulation agrees on it.
#pragma once

#include <cstdint>

#include "events/clock.hpp"

namespace orrery {

// The place at which a stream entered a queue. Number 0 means that it entered together with others, and that
// their order within that instant is not known.
struct QueuePlace {
  std::uint32_t queue = 0;
  std::uint32_t number = 0;
};

// Returns whether `a` is certain to have entered the queue before `b`.
inline bool comes_before(const QueuePlace& a, const QueuePlace& b) {
  return a.queue == b.queue && a.number != 0 && a.number < b.number;
}

class EntryOrderChecker {
 public:
  // Records that a stream enters, and returns its number in the queue, or 0 if its place is not known.
  // Streams that enter by the same `cause` do so in a known order.
  std::uint32_t enter(Stamp now, std::uint64_t cause) {
    if (now != last_) {
      last_ = now;
      cause_ = cause;
    } else if (cause != cause_) {
      doubtful_ = true;
      return 0;
    }
    return ++places_;
  }

  // Must be called before anything happens to the queue. Returns whether streams entered in an unknown order
  // in an instant before `now` and one of them had to wait for the others. `waiting` says that the last one
  // to enter has not started.
  bool order_mattered(Stamp now, bool waiting) {
    if (!doubtful_ || now == last_) return false;
    doubtful_ = false;
    return waiting;
  }

 private:
  Stamp last_ = -1;
  std::uint64_t cause_ = 0;
  std::uint32_t places_ = 0;
  bool doubtful_ = false;
};

}  // namespace orrery
