// The chunks that wait for or occupy one queue of a dimension.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "base/bytes.hpp"
#include "collective/system_config.hpp"

namespace orrery {

class ChunkQueue {
 public:
  struct Item {
    std::uint32_t chunk;
    int priority;
    Bytes input;                // of the phase it wants to run here
    CollectiveKind kind;        // of that phase
    std::uint16_t phases_left;  // after that phase
    bool started = false;
    bool operator==(const Item&) const = default;
  };

  // Puts a chunk at its place behind all started ones.
  void insert(const Item& item, QueueOrder order);
  void remove(std::uint32_t chunk);
  void free_slot() { --running_; }
  // Starts the first waiting chunk if fewer than `slots` are running, and names it.
  std::optional<std::uint32_t> start_next(int slots);

  const std::deque<Item>& items() const { return items_; }

  bool operator==(const ChunkQueue& other) const {
    return items_ == other.items_ && running_ == other.running_;
  }

 private:
  std::size_t alternating_place(const Item& item) const;

  std::deque<Item> items_;  // started ones in front
  // The order by which all present items were inserted; none when they differ.
  std::optional<QueueOrder> common_order_;
  int running_ = 0;
};

}  // namespace orrery
