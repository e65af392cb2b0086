// Events of a network of packets in a heap, the first one at its top.
#pragma once

#include <cstddef>
#include <vector>

#include "network/packet/packet_event.hpp"

namespace orrery {

// Each event has four below it, so that few have to move. Nobody can foretell which of the four comes first,
// so that it costs less to choose without a branch than to have the processor guess.
class PacketEventHeap {
 public:
  std::size_t size() const { return events_.size(); }
  // Returns the first event, of which there must be one.
  const PacketEvent& first() const { return events_[0]; }

  void push(const PacketEvent& event) {
    std::size_t hole = events_.size();
    events_.push_back(event);
    const PacketEvent::Key key = event.key();
    while (hole > 0) {
      const std::size_t above = (hole - 1) / children;
      if (events_[above].key() < key) break;
      events_[hole] = events_[above];
      hole = above;
    }
    events_[hole] = event;
  }

  // Takes the first event, of which there must be one.
  PacketEvent pop() {
    const PacketEvent first = events_[0], last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink(last);
    return first;
  }

 private:
  static constexpr std::size_t children = 4;

  // Puts an event in the place of the first one.
  void sink(const PacketEvent& event) {
    const PacketEvent::Key key = event.key();
    const std::size_t size = events_.size();
    std::size_t hole = 0;
    for (std::size_t below = 1; below < size; below = hole * children + 1) {
      const std::size_t end = below + children < size ? below + children : size;
      std::size_t least = below;
      PacketEvent::Key least_key = events_[below].key();
      for (std::size_t i = below + 1; i < end; ++i) {
        const PacketEvent::Key other = events_[i].key();
        const bool is_less = __builtin_expect_with_probability(other < least_key, 1, 0.5);
        least = is_less ? i : least;
        least_key = is_less ? other : least_key;
      }
      if (key < least_key) break;
      events_[hole] = events_[least];
      hole = least;
    }
    events_[hole] = event;
  }

  std::vector<PacketEvent> events_;
};

}  // namespace orrery
