// Events ordered by (stamp, order of pushing).
//
// Simulated ranks act in step, so thousands of events share a stamp. The queue therefore sorts buckets, not
// events: a heap of (stamp, age) with a FIFO bucket each. A small direct-mapped cache finds the youngest
// bucket of a stamp; when two stamps collide in it, a second, younger bucket is opened for the same stamp,
// which keeps the order, since from then on nothing is appended to the older one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "events/clock.hpp"
#include "events/event.hpp"

namespace orrery::core {

class EventQueue {
 public:
  EventQueue() : open_(&buckets_.emplace_back()) { cache_.fill(Cached{}); }
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  // `stamp` must not lie before the event popped last.
  void push(Stamp stamp, const Event& event) {
    Cached& cached = cache_[slot(stamp)];
    if (cached.stamp != stamp) cached = Cached{stamp, add_bucket(stamp)};
    cached.bucket->push_back(event);
  }

  bool has_event_at(Stamp stamp) const {
    if (open_stamp_ == stamp && position_ < open_->size()) return true;
    return !heap_.empty() && heap_.front().stamp == stamp;
  }

  // Returns the stamp of the next event; the largest one when none is left.
  Stamp next() const {
    if (position_ < open_->size()) return open_stamp_;
    return heap_.empty() ? std::numeric_limits<Stamp>::max() : heap_.front().stamp;
  }

  // Takes the next event of the open bucket, which has the same stamp as the last one; false when the bucket
  // has no more.
  [[nodiscard]] bool pop_open(Event& event) {
    if (position_ == open_->size()) return false;
    event = (*open_)[position_++];
    return true;
  }
  // Closes the open bucket, which must be empty, and opens the next; false when there is none.
  [[nodiscard]] bool open_next(Stamp& stamp);

  // Calls next(event) for the event that will be taken next unless others are pushed before that, and
  // soon(event) for up to two that are likely to follow it.
  template <class Next, class Soon>
  void look_ahead(const Next& next, const Soon& soon) const {
    constexpr std::size_t most = 3;
    std::size_t seen = 0;
    const auto show = [&](const Event& event) { seen++ == 0 ? next(event) : soon(event); };
    for (std::size_t i = position_; i < open_->size() && seen < most; ++i) show((*open_)[i]);
    for (std::size_t i = 0; i < heap_.size() && seen < most; ++i) show(heap_[i].bucket->front());
  }

  // Takes the next event; false when none is left.
  [[nodiscard]] bool pop(Stamp& stamp, Event& event) {
    stamp = open_stamp_;
    while (!pop_open(event))
      if (!open_next(stamp)) return false;
    return true;
  }

 private:
  static constexpr std::size_t slots = 1024;
  using Bucket = std::vector<Event>;
  struct Cached {
    Stamp stamp = -1;
    Bucket* bucket = nullptr;
  };
  struct Entry {
    Stamp stamp;
    std::uint64_t age;
    Bucket* bucket;
  };

  static std::size_t slot(Stamp stamp) {
    return (static_cast<std::uint64_t>(stamp) * 0x9e3779b97f4a7c15ull) >> 54;  // top 10 bits
  }
  Bucket* add_bucket(Stamp stamp);

  std::vector<Entry> heap_;
  std::deque<Bucket> buckets_;  // buckets stay where they are
  std::vector<Bucket*> free_buckets_;
  std::array<Cached, slots> cache_;
  std::uint64_t added_ = 0;
  Bucket* open_;  // the first one, empty, until something is popped
  std::size_t position_ = 0;
  Stamp open_stamp_ = 0;
};

}  // namespace orrery::core
