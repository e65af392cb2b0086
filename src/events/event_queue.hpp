// Events ordered by (stamp, order of pushing).
//
// Simulated ranks act in step, so thousands of events share a stamp. The queue therefore sorts buckets, not
// events: a heap of (stamp, age) with a FIFO bucket each. A small direct-mapped cache finds the youngest
// bucket of a stamp; when two stamps collide in it, a second, younger bucket is opened for the same stamp,
// which keeps the order, since from then on nothing is appended to the older one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "events/clock.hpp"
#include "events/event.hpp"

namespace orrery {

class EventQueue {
 public:
  EventQueue() { cache_.fill(Cached{}); }

  // `stamp` must not lie before the event popped last.
  void push(Stamp stamp, const Event& event) {
    Cached& cached = cache_[slot(stamp)];
    if (cached.stamp != stamp) cached = Cached{stamp, open_bucket(stamp)};
    buckets_[cached.bucket].push_back(event);
  }

  bool has_event_at(Stamp stamp) const {
    if (current_ != none && current_stamp_ == stamp && position_ < buckets_[current_].size()) return true;
    return !heap_.empty() && heap_.front().stamp == stamp;
  }

  // Takes the next event; false when none is left.
  bool pop(Stamp& stamp, Event& event) {
    while (true) {
      if (current_ != none) {
        std::vector<Event>& bucket = buckets_[current_];
        if (position_ < bucket.size()) {
          stamp = current_stamp_;
          event = bucket[position_++];
          return true;
        }
        close_current();
      }
      if (heap_.empty()) return false;
      open_next();
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::size_t slots = 1024;
  struct Cached {
    Stamp stamp = -1;
    std::uint32_t bucket = none;
  };
  struct Entry {
    Stamp stamp;
    std::uint64_t age;
    std::uint32_t bucket;
  };

  static std::size_t slot(Stamp stamp) {
    return (static_cast<std::uint64_t>(stamp) * 0x9e3779b97f4a7c15ull) >> 54;  // top 10 bits
  }
  std::uint32_t open_bucket(Stamp stamp);
  void open_next();
  void close_current();

  std::vector<Entry> heap_;
  std::vector<std::vector<Event>> buckets_;
  std::vector<std::uint32_t> free_buckets_;
  std::array<Cached, slots> cache_;
  std::uint64_t opened_ = 0;
  std::uint32_t current_ = none;
  std::size_t position_ = 0;
  Stamp current_stamp_ = 0;
};

}  // namespace orrery
