// The queues of a port, one per priority. Priority 0 goes first and is never paused; the others take turns,
// packet by packet.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "network/packet/packet.hpp"

namespace orrery::core {

inline constexpr int priorities = 8;

class EgressQueues {
 public:
  void push(PacketPool& packets, PacketId id) {
    Packet& packet = packets[id];
    Queue& queue = queues_[packet.priority];
    packet.next = no_packet;
    if (queue.last == no_packet)
      queue.first = id;
    else
      packets[queue.last].next = id;
    queue.last = id;
    queue.bytes += packet.bytes;
    bytes_ += packet.bytes;
    waiting_ |= bit(packet.priority);
  }
  // Counts a packet that goes at once as if it had been put into its queue and taken from there. Nothing
  // waits.
  void pass(int priority) {
    if (priority != 0) last_ = static_cast<std::uint8_t>(priority);
  }
  // Puts a message of flow control before everything else except other such messages.
  void push_ahead(PacketPool& packets, PacketId id) {
    Queue& queue = queues_[0];
    PacketId before = no_packet;
    for (PacketId at = queue.first; at != no_packet && is_for_link(packets[at].kind); at = packets[at].next)
      before = at;
    if (before == queue.last) return push(packets, id);
    Packet& packet = packets[id];
    PacketId& place = before == no_packet ? queue.first : packets[before].next;
    packet.next = place;
    place = id;
    queue.bytes += packet.bytes;
    bytes_ += packet.bytes;
  }
  // Puts a packet in the place of the last packet of its priority, of which there must be one. From now on
  // each of the two has the other's number.
  void exchange_last(PacketPool& packets, PacketId id) {
    Queue& queue = queues_[packets[id].priority];
    const std::uint64_t more = packets[id].bytes, less = packets[queue.last].bytes;
    packets.exchange(id, queue.last);
    queue.bytes += more - less;
    bytes_ += more - less;
  }
  // Takes the packet whose turn it is. Returns none when everything that waits is paused.
  PacketId pop(PacketPool& packets) { return waiting_ & 1 ? take(packets, 0) : pop_by_turns(packets); }
  // Takes a packet of one of the priorities that take turns.
  PacketId pop_by_turns(PacketPool& packets) {
    const unsigned ready = waiting_ & ~paused_ & ~1u;
    if (ready == 0) return no_packet;
    const auto turned = std::rotr(static_cast<std::uint8_t>(ready), last_ + 1);
    last_ = static_cast<std::uint8_t>((last_ + 1 + std::countr_zero(turned)) % priorities);
    return take(packets, last_);
  }
  // Takes the first packet of a priority, of which there must be one.
  [[nodiscard]] PacketId take(PacketPool& packets, int priority) {
    Queue& queue = queues_[static_cast<std::size_t>(priority)];
    const PacketId id = queue.first;
    const Packet& packet = packets[id];
    queue.first = packet.next;
    if (queue.first == no_packet) {
      queue.last = no_packet;
      waiting_ &= static_cast<std::uint8_t>(~bit(priority));
    }
    queue.bytes -= packet.bytes;
    bytes_ -= packet.bytes;
    return id;
  }

  // Returns the first packet of a priority, of which there must be one.
  PacketId first(int priority) const { return queues_[static_cast<std::size_t>(priority)].first; }
  unsigned waiting() const { return waiting_; }  // a bit per priority
  bool any_waits() const { return waiting_ != 0; }
  bool waits(int priority) const { return (waiting_ >> priority & 1) != 0; }
  bool is_paused(int priority) const { return (paused_ >> priority & 1) != 0; }
  unsigned paused() const { return paused_; }
  void pause(int priority) { paused_ |= bit(priority); }
  void resume(int priority) { paused_ &= static_cast<std::uint8_t>(~bit(priority)); }

  std::uint64_t bytes(int priority) const { return queues_[static_cast<std::size_t>(priority)].bytes; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Queue {
    PacketId first = no_packet, last = no_packet;
    std::uint64_t bytes = 0;
  };

  static std::uint8_t bit(int priority) { return static_cast<std::uint8_t>(1u << priority); }

  std::uint64_t bytes_ = 0;
  std::uint8_t waiting_ = 0, paused_ = 0;  // a bit per priority
  std::uint8_t last_ = 0;                  // priority that was served last
  std::array<Queue, priorities> queues_;
};

}  // namespace orrery::core
