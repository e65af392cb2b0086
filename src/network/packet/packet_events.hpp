// The events inside a network of packets, in the order of their times, and of their numbers where those are
// equal.
//
// Most events lie ahead by the time of a packet on a wire, which few kinds of links share. Events that are
// planned equally far ahead come in the order in which they were planned, so that a lane for each distance is
// a queue that needs no sorting. Events at distances that do not come again wait in a heap. A tournament of
// the first events of all lanes and of the heap finds the next one. Millions of events per second go through
// here.
#pragma once

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
    if (place.distance != distance || !lanes_[place.lane].append(at, order_and_what, object, extra)) {
      expect(distance);
      return push_apart({at, order_and_what, object, extra});
    }
    ++in_lanes_;
    if (lanes_[place.lane].size() == 1) play(place.lane, {at, order_and_what});
  }

  // Does the same with an event whose distance hardly comes again.
  void push_apart(const PacketEvent& event);

  std::size_t size() const { return in_lanes_ + apart_.size(); }
  // Returns the time of the next event; `never` when there is none.
  Stamp next() const { return players_[winners_[1]].at; }
  // Returns the event that comes so many places behind the next one in its lane; null: none is known.
  const PacketEvent* ahead(std::uint32_t places) const { return lanes_[winners_[1]].behind_first(places); }
  // Takes the event that next() has announced.
  PacketEvent pop() {
    const std::uint32_t winner = winners_[1];
    if (winner == apart) return pop_apart();
    --in_lanes_;
    Lane& lane = lanes_[winner];
    const PacketEvent event = lane.first();
    now_ = event.at;
    if (lane.drop_first())
      play(winner, {lane.first().at, lane.first().order_and_what});
    else
      play(winner, {});
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
  // A distance that may have a lane. It gets it when it has come often: lanes that are hardly used would make
  // the tournament longer.
  struct Place {
    Stamp distance = -1;      // of the lane
    Stamp candidate = -1;     // that has come since
    std::uint32_t times = 0;  // in a row
    std::uint32_t lane = 0;
  };
  __extension__ using Key = unsigned __int128;
  // The first event of a lane, or of the heap.
  struct Player {
    Stamp at = never;
    std::uint64_t order_and_what = 0;

    // Returns what is less for the event that comes first.
    Key key() const { return static_cast<Key>(static_cast<std::uint64_t>(at)) << 64 | order_and_what; }
  };

  static constexpr int place_bits = 10;
  static constexpr std::uint32_t apart = 0;  // the player of the heap; its lane stays empty

  static std::size_t place_of(Stamp distance) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio scatters numbers
    return static_cast<std::size_t>(static_cast<std::uint64_t>(distance) * factor >> (64 - place_bits));
  }

  // A lane has another first event, which plays against those that the lane met on its way up. Nobody can
  // foretell who wins, so that it costs less to work it out than to have the processor guess.
  void play(std::uint32_t lane, Player player) {
    players_[lane] = player;
    std::uint32_t winner = lane;
    Key key = player.key();
    for (std::size_t game = players_.size() + lane; game > 1; game /= 2) {
      const std::uint32_t other = winners_[game ^ 1];
      const Key key_of_other = players_[other].key();
      const auto loses = static_cast<std::uint32_t>(key_of_other < key);
      winner ^= (winner ^ other) & (0 - loses);
      key ^= (key ^ key_of_other) & (Key{0} - loses);
      winners_[game / 2] = winner;
    }
  }
  PacketEvent pop_apart();
  void expect(Stamp distance);
  void add_lane();

  Stamp now_ = 0;  // of the event that was taken last
  std::size_t in_lanes_ = 0;
  std::vector<Player> players_ = std::vector<Player>(1);  // by lane; of a power of two
  // The winner of a game is at half the place of those who play it; lanes come last, and the best is at 1.
  std::vector<std::uint32_t> winners_ = {apart, apart};
  std::deque<Lane> lanes_ = std::deque<Lane>(1);
  std::vector<PacketEvent> apart_;  // a heap
  std::array<Place, std::size_t{1} << place_bits> places_;
};

}  // namespace orrery
