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

  // `event.at` must not lie before the event that was taken last.
  void push(const PacketEvent& event) {
    const Stamp distance = event.at - now_;
    const Place& place = places_[place_of(distance)];
    if (place.distance != distance || !lanes_[place.lane].append(event)) {
      expect(distance);
      return push_apart(event);
    }
    if (lanes_[place.lane].size() == 1) add_first({event, place.lane});
    ++in_lanes_;
  }

  // Does the same with an event whose distance hardly comes again.
  void push_apart(const PacketEvent& event);

  std::size_t size() const { return in_lanes_ + apart_.size(); }
  // Returns the time of the next event; `never` when there is none.
  Stamp next() const {
    const Stamp of_lanes = firsts_.empty() ? never : firsts_.front().event.at;
    return apart_.empty() ? of_lanes : std::min(of_lanes, apart_.front().at);
  }
  // Returns the event that comes so many places behind the next one in its lane; null: none is known.
  const PacketEvent* ahead(std::uint32_t places) const {
    return firsts_.empty() ? nullptr : lanes_[firsts_.front().lane].behind_first(places);
  }
  // Takes the event that next() has announced.
  PacketEvent pop() {
    if (!apart_.empty() && (firsts_.empty() || apart_.front().before(firsts_.front().event)))
      return pop_apart();
    --in_lanes_;
    const First first = firsts_.front();
    now_ = first.event.at;
    if (Lane& lane = lanes_[first.lane]; lane.drop_first())
      sink({lane.first(), first.lane});
    else
      remove_first();
    return first.event;
  }

 private:
  // A queue in a ring. What runs past its end goes on at its beginning.
  class Lane {
   public:
    // Returns false where the event would come before the last one.
    bool append(const PacketEvent& event) {
      if (begin_ != end_ && event.before(ring_[(end_ - 1) & mask_])) return false;
      if (size() > mask_) grow();
      ring_[end_++ & mask_] = event;
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
  };
  // A distance that may have a lane. It gets it when it comes for the second time.
  struct Place {
    Stamp distance = -1;   // of the lane
    Stamp candidate = -1;  // that has come once
    std::uint32_t lane = 0;
  };
  struct First {
    PacketEvent event;
    std::uint32_t lane = 0;
  };

  static constexpr int place_bits = 10;

  static std::size_t place_of(Stamp distance) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio scatters numbers
    return static_cast<std::size_t>(static_cast<std::uint64_t>(distance) * factor >> (64 - place_bits));
  }

  PacketEvent pop_apart();
  void expect(Stamp distance);
  void add_first(const First& first);
  void remove_first();
  void sink(const First& first);

  Stamp now_ = 0;  // of the event that was taken last
  std::size_t in_lanes_ = 0;
  std::vector<First> firsts_;  // of the lanes that have events: a heap
  std::vector<Lane> lanes_;
  std::vector<PacketEvent> apart_;  // a heap
  std::array<Place, std::size_t{1} << place_bits> places_;
};

}  // namespace orrery
