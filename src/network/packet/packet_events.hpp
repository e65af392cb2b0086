// The events inside a network of packets, in the order of their times, and of their numbers where those are
// equal.
//
// Most events lie ahead by the time of a packet on a wire, which few kinds of links share. Events that are
// planned equally far ahead come in the order in which they were planned, so that a lane for each distance is
// a queue that needs no sorting, and the next event is the first of one of the lanes. Events at distances
// that do not come again wait in a heap. Millions of events per second go through here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
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
  bool before(const PacketEvent& other) const {
    return at != other.at ? at < other.at : order_and_what < other.order_and_what;
  }
};

class PacketEvents {
 public:
  static constexpr Stamp never = std::numeric_limits<Stamp>::max();

  // The time must not lie before the event that was taken last. Numbers that go from register to register
  // save this path the way through memory.
  void push(Stamp at, std::uint64_t order_and_what, std::uint32_t object, std::uint32_t extra) {
    const Stamp distance = at - now_;
    const Place& place = places_[place_of(distance)];
    if (place.distance != distance || !place.lane->append(at, order_and_what, object, extra)) {
      expect(distance);
      return push_apart({at, order_and_what, object, extra});
    }
    if (place.lane->size() == 1) add_first({at, order_and_what, place.lane});
    ++in_lanes_;
  }

  // Does the same with an event whose distance hardly comes again.
  void push_apart(const PacketEvent& event);

  std::size_t size() const { return in_lanes_ + apart_.size(); }
  // Returns the time of the next event; `never` when there is none.
  Stamp next() const {
    const Stamp of_lanes = firsts_.empty() ? never : firsts_.front().at;
    return apart_.empty() ? of_lanes : std::min(of_lanes, apart_.front().at);
  }
  // Returns the event that comes so many places behind the next one in its lane; null: none is known.
  const PacketEvent* ahead(std::uint32_t places) const {
    return firsts_.empty() ? nullptr : firsts_.front().lane->behind_first(places);
  }
  // Takes the event that next() has announced.
  PacketEvent pop() {
    if (!apart_.empty() && (firsts_.empty() || !firsts_.front().before(apart_.front()))) return pop_apart();
    --in_lanes_;
    Lane* const lane = firsts_.front().lane;
    const PacketEvent event = lane->first();
    now_ = event.at;
    if (lane->drop_first())
      sink(lane->first().at, lane->first().order_and_what, lane);
    else
      remove_first();
    return event;
  }

 private:
  // A queue in a ring. What runs past its end goes on at its beginning.
  class Lane {
   public:
    // Returns false where the event would come before the last one.
    bool append(Stamp at, std::uint64_t order_and_what, std::uint32_t object, std::uint32_t extra) {
      if (begin_ != end_ && (at < last_at_ || (at == last_at_ && order_and_what < last_order_and_what_)))
        return false;
      if (size() > mask_) grow();
      PacketEvent& event = ring_[end_++ & mask_];
      event.at = last_at_ = at;
      event.order_and_what = last_order_and_what_ = order_and_what;
      event.object = object;
      event.extra = extra;
      return true;
    }
    std::uint32_t size() const { return end_ - begin_; }
    const PacketEvent& first() const { return ring_[begin_ & mask_]; }
    const PacketEvent* behind_first(std::uint32_t places) const {
      return size() > places ? &ring_[(begin_ + places) & mask_] : nullptr;
    }
    // Returns whether there is another one.
    bool drop_first() { return ++begin_ != end_; }

   private:
    void grow();

    std::vector<PacketEvent> ring_ = std::vector<PacketEvent>(1);  // of a power of two
    std::uint32_t mask_ = 0, begin_ = 0, end_ = 0;
    Stamp last_at_ = 0;  // of the event that was appended last
    std::uint64_t last_order_and_what_ = 0;
  };
  // A distance that may have a lane. It gets it when it comes for the second time.
  struct Place {
    Stamp distance = -1;   // of the lane
    Stamp candidate = -1;  // that has come once
    Lane* lane = nullptr;
  };
  // When the first event of a lane comes.
  struct First {
    Stamp at = 0;
    std::uint64_t order_and_what = 0;
    Lane* lane = nullptr;

    template <class Other>
    bool before(const Other& other) const {
      return at != other.at ? at < other.at : order_and_what < other.order_and_what;
    }
  };

  static constexpr int place_bits = 10;

  static std::size_t place_of(Stamp distance) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio scatters numbers
    return static_cast<std::size_t>(static_cast<std::uint64_t>(distance) * factor >> (64 - place_bits));
  }

  PacketEvent pop_apart();
  void expect(Stamp distance);
  void add_first(First first);
  void remove_first();
  void sink(Stamp at, std::uint64_t order_and_what, Lane* lane);

  Stamp now_ = 0;  // of the event that was taken last
  std::size_t in_lanes_ = 0;
  std::vector<First> firsts_;       // of the lanes that have events: a heap
  std::deque<Lane> lanes_;          // which stay where they are
  std::vector<PacketEvent> apart_;  // a heap
  std::array<Place, std::size_t{1} << place_bits> places_;
};

}  // namespace orrery
