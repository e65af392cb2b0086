// The chunks that wait for or occupy one queue of a dimension.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/units/bytes.hpp"
#include "collective/plan/system_config.hpp"

namespace orrery::core {

class ChunkQueue {
 public:
  struct Item {
    std::uint32_t chunk;
    int priority;
    Bytes input;                // input of the phase it wants to run here
    CollectiveKind kind;        // kind of that phase
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

  // Returns the items. The span is valid until the queue changes.
  std::span<const Item> items() const { return items_.all(); }

  bool operator==(const ChunkQueue& other) const {
    return items_ == other.items_ && running_ == other.running_;
  }

 private:
  // Thousands of ranks have queues of their own, most of which never hold more than one chunk. A single chunk
  // needs no memory elsewhere. Chunks that leave in front leave their places vacant, so that the others need
  // not move.
  class Items {
   public:
    Items() = default;
    Items(const Items& other);
    Items(Items&&) = default;
    Items& operator=(const Items& other);
    Items& operator=(Items&&) = default;

    std::span<const Item> all() const {
      if (several_) return std::span(several_->items).subspan(several_->vacant);
      return {&one_, one_.chunk == nobody ? 0u : 1u};
    }
    Item& operator[](std::size_t place) {
      return several_ ? several_->items[several_->vacant + place] : one_;
    }
    void insert(std::size_t place, const Item& item);
    void erase(std::size_t place);
    bool operator==(const Items& other) const;

   private:
    struct Several {
      std::vector<Item> items;
      std::size_t vacant = 0;  // vacant places in front
      void insert(std::size_t place, const Item& item);
      void erase(std::size_t place);
    };

    static constexpr std::uint32_t nobody = 0xffffffff;
    std::unique_ptr<Several> several_;  // null: there have never been two
    Item one_{nobody, 0, {}, {}, 0};    // the only one, if there have never been two
  };

  std::size_t alternating_place(const Item& item) const;

  Items items_;  // started ones stand in front
  // The order by which all present items were inserted; none when they differ.
  std::optional<QueueOrder> common_order_;
  int running_ = 0;
};

}  // namespace orrery::core
