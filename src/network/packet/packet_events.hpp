// The events inside a network of packets, in the order of their times. Events with equal times are in the
// order of their numbers.
//
// Most events lie ahead by the time of a packet on a wire, and few kinds of links make for few such times.
// Events that are planned equally far ahead come in the order in which they were planned, so a lane for each
// distance is a queue that needs no sorting. Events at distances that do not come again wait in a heap. A
// tournament of the first events of all lanes and of the heap finds the next one. Millions of events per
// second go through here.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/containers/wide_heap.hpp"
#include "events/clock.hpp"

namespace orrery::core {

// An event that is going to happen in a network of packets.
struct PacketEvent {
  Stamp at = 0;
  std::uint64_t order_and_what = 0;  // `order` decides among events of the same time
  std::uint32_t object = 0;          // `what` says what this and `extra` mean
  std::uint32_t extra = 0;

  static constexpr int what_bits = 8;
  __extension__ using Key = unsigned __int128;

  std::uint64_t order() const { return order_and_what >> what_bits; }
  std::uint32_t what() const { return order_and_what & ((1u << what_bits) - 1); }
  // Returns a key that is smaller for the event that comes first. Times are not negative.
  static Key key_of(Stamp at, std::uint64_t order_and_what) {
    return static_cast<Key>(static_cast<std::uint64_t>(at)) << 64 | order_and_what;
  }
  Key key() const { return key_of(at, order_and_what); }
};

class PacketEvents {
 public:
  static constexpr Stamp never = std::numeric_limits<Stamp>::max();

  // The time must not lie before that of the event that was taken last. The parameters are numbers that go
  // from register to register, which spares this path the route through memory.
  void push(Stamp at, std::uint64_t order_and_what, std::uint32_t object, std::uint32_t extra) {
    const Stamp distance = at - now_;
    const Place& place = places_[place_of(distance)];
    const Player player{at, order_and_what};
    if (place.distance != distance || !lanes_[place.lane].can_append(player)) [[unlikely]]
      return push_unexpected(at, order_and_what, object, extra);
    if (lanes_[place.lane].append(player, object, extra)) play(place.lane, player);
  }

  // Does the same with an event whose distance hardly comes again.
  void push_apart(const PacketEvent& event);

  std::size_t size() const;
  // Returns the time of the next event; `never` when there is none.
  Stamp next() const { return players_[winners_[1]].at; }
  // Returns the event that comes so many places behind the next one in its lane. Null: it is not known.
  const PacketEvent* ahead(std::uint32_t places) const { return lanes_[winners_[1]].behind_first(places); }
  // Takes the event that next() has announced.
  [[nodiscard]] PacketEvent pop() {
    const std::uint32_t winner = winners_[1];
    if (winner == apart) [[unlikely]]
      return pop_apart();
    Lane& lane = lanes_[winner];
    const PacketEvent event = lane.take_first();
    now_ = event.at;
    play(winner, lane.is_empty() ? Player() : Player{lane.first().at, lane.first().order_and_what});
    return event;
  }

 private:
  using Key = PacketEvent::Key;
  // The first event of a lane, or of the heap.
  struct Player {
    Stamp at = never;
    std::uint64_t order_and_what = 0;

    // Returns a key that is smaller for the event that comes first.
    Key key() const { return PacketEvent::key_of(at, order_and_what); }
  };
  // A queue in a ring: an event that does not fit before the ring's end goes to its beginning.
  class alignas(64) Lane {
   public:
    // Returns whether there is room, and the event would not come before the last one, which may have left
    // the queue.
    bool can_append(const Player& event) const { return event.key() >= last_ && end_ - begin_ <= mask_; }
    // Requires can_append(). Returns whether the event is the only one.
    bool append(const Player& player, std::uint32_t object, std::uint32_t extra) {
      last_ = player.key();
      PacketEvent& event = ring_[end_ & mask_];
      event.at = player.at;
      event.order_and_what = player.order_and_what;
      event.object = object;
      event.extra = extra;
      return end_++ == begin_;
    }
    std::uint32_t size() const { return end_ - begin_; }
    bool is_empty() const { return end_ == begin_; }
    const PacketEvent& first() const { return ring_[begin_ & mask_]; }
    const PacketEvent* behind_first(std::uint32_t places) const {
      return size() > places ? &ring_[(begin_ + places) & mask_] : nullptr;
    }
    PacketEvent take_first() { return ring_[begin_++ & mask_]; }
    bool is_full() const { return end_ - begin_ > mask_; }
    void grow();

   private:
    std::vector<PacketEvent> ring_ = std::vector<PacketEvent>(1);  // its size is a power of two
    std::uint32_t mask_ = 0, begin_ = 0, end_ = 0;
    Key last_ = 0;  // key of the event that was appended last
  };
  // A distance that may have a lane. It gets a lane when it has come often: lanes that are hardly used would
  // make the tournament longer.
  struct Place {
    Stamp distance = -1;      // distance of the lane
    Stamp candidate = -1;     // distance that has come since
    std::uint32_t times = 0;  // how often it has come in a row
    std::uint32_t lane = 0;
  };

  static constexpr int place_bits = 10;
  static constexpr std::uint32_t apart = 0;  // the player of the heap; its lane stays empty

  static std::size_t place_of(Stamp distance) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio scatters numbers
    return static_cast<std::size_t>(static_cast<std::uint64_t>(distance) * factor >> (64 - place_bits));
  }

  // A lane has another first event, which plays against those that the lane met on its way up. Nobody can
  // foretell who wins, so it costs less to choose without a branch than to let the processor guess.
  void play(std::uint32_t lane, Player player) {
    players_[lane] = player;
    std::uint32_t* const winners = winners_.data();
    const Player* const players = players_.data();
    std::uint32_t winner = lane;
    Key key = player.key();
    for (std::size_t game = players_.size() + lane; game > 1; game /= 2) {
      const std::uint32_t other = winners[game ^ 1];
      const Key key_of_other = players[other].key();
      const bool loses = __builtin_expect_with_probability(key_of_other < key, 1, 0.5);
      winner = loses ? other : winner;
      key = loses ? key_of_other : key;
      winners[game / 2] = winner;
    }
  }
  // Called when the event has no lane, or its lane has no room, or the event would come before the last one
  // there. This is apart from the usual path, which then has no registers to save.
  [[gnu::noinline]] void push_unexpected(Stamp at, std::uint64_t order_and_what, std::uint32_t object,
                                         std::uint32_t extra);
  PacketEvent pop_apart();
  void expect(Stamp distance);
  void add_lane();

  Stamp now_ = 0;                                         // time of the event that was taken last
  std::vector<Player> players_ = std::vector<Player>(1);  // by lane
  // The winner of a game is at half the place of those who play it. Lanes come last, and the best is at 1.
  // Lanes that came first, which are used most, may play fewer games than others.
  std::vector<std::uint32_t> winners_ = {apart, apart};
  std::vector<Lane> lanes_ = std::vector<Lane>(1);
  WideHeap<PacketEvent> apart_;
  std::array<Place, std::size_t{1} << place_bits> places_;
};

}  // namespace orrery::core
