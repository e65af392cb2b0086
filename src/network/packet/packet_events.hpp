// The events inside a network of packets, in the order of their times, and of their numbers where those are
// equal.
//
// A wheel of intervals: an event of the near future goes into the list of its interval, and an interval is
// sorted when its turn comes. What lies further ahead waits in a heap. Millions of events per second go
// through here, most of them a packet's time on a wire ahead.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "events/clock.hpp"

namespace orrery {

struct PacketEvent {
  Stamp at = 0;
  std::uint64_t order_and_what = 0;  // the former decides among events of the same time
  std::uint32_t object = 0;          // this and `extra` mean what the latter says
  std::uint32_t extra = 0;

  static constexpr int what_bits = 8;

  std::uint64_t order() const { return order_and_what >> what_bits; }
  std::uint32_t what() const { return order_and_what & ((1u << what_bits) - 1); }
};

class PacketEvents {
 public:
  static constexpr Stamp never = std::numeric_limits<Stamp>::max();

  // `usual` is how far ahead most events lie.
  explicit PacketEvents(Stamp usual) {
    while (usual >> width_bits_ >= static_cast<Stamp>(slots / 2)) ++width_bits_;
    lists_.fill(List());
  }

  // `event.at` must not lie before the event that was taken last.
  void push(const PacketEvent& event) {
    ++size_;
    const Stamp interval = event.at >> width_bits_;
    if (interval < current_) go_back(interval);
    if (interval == current_)
      insert(event);
    else
      put_away(interval, event);
  }

  std::size_t size() const { return size_; }
  // Returns the time of the next event; `never` when there is none.
  Stamp next() {
    if (position_ == open_.size() && !open_next()) return never;
    return open_[position_].at;
  }
  // Takes the event that next() has announced.
  PacketEvent pop() {
    --size_;
    return open_[position_++];
  }

 private:
  static constexpr std::size_t slots = 4096;
  static constexpr std::uint32_t none = 0xffffffff;
  // Events of an interval, several in a row, as they are read one after the other.
  struct Chunk {
    std::array<PacketEvent, 5> events;
    std::uint32_t count = 0, next = none;
  };
  struct List {
    std::uint32_t first = none, last = none;
  };

  static bool before(const PacketEvent& a, const PacketEvent& b) {
    return a.at != b.at ? a.at < b.at : a.order_and_what < b.order_and_what;
  }
  static bool after(const PacketEvent& a, const PacketEvent& b) { return before(b, a); }

  void put_away(Stamp interval, const PacketEvent& event) {
    if (interval < current_ + static_cast<Stamp>(slots))
      add(interval, event);
    else
      push_far(event);
  }
  void add(Stamp interval, const PacketEvent& event) {
    const auto slot = static_cast<std::size_t>(interval) % slots;
    List& list = lists_[slot];
    if (list.last == none || chunks_[list.last].count == chunks_[list.last].events.size()) extend(list, slot);
    Chunk& chunk = chunks_[list.last];
    chunk.events[chunk.count++] = event;
  }
  void extend(List& list, std::size_t slot);
  void push_far(const PacketEvent& event) {
    far_.push_back(event);
    std::ranges::push_heap(far_, after);
  }
  // Puts an event into the open interval.
  void insert(const PacketEvent& event) {
    open_.push_back(event);
    std::size_t i = open_.size() - 1;
    for (; i > position_ && before(event, open_[i - 1]); --i) open_[i] = open_[i - 1];
    open_[i] = event;
  }
  bool open_next();
  // Opens an interval before the one that is open. That one may lie far ahead, as when nothing but timeouts
  // was left and then a message came.
  void go_back(Stamp interval);
  void empty(std::size_t slot, std::vector<PacketEvent>& events);
  Stamp next_interval() const;

  int width_bits_ = 8;  // of an interval
  Stamp current_ = 0;   // the interval that is open
  std::size_t size_ = 0, position_ = 0;
  std::vector<PacketEvent> open_;
  std::array<List, slots> lists_;
  std::array<std::uint64_t, slots / 64> used_{};
  std::vector<Chunk> chunks_;
  std::uint32_t free_ = none;
  std::vector<PacketEvent> far_;  // a heap
};

}  // namespace orrery
