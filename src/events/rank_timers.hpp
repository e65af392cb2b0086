// Delayed call-backs of ranks, grouped by (rank, time).
//
// The first call-back for a rank and time places one event in the queue; later ones join it and run with it,
// in order of registration. This decides who is first within one instant (spec: system layer, "per-NPU
// delayed call-back").
#pragma once

#include <cstdint>
#include <vector>

#include "events/event_loop.hpp"

namespace orrery {

class RankTimers final : public EventHandler {
 public:
  RankTimers(EventLoop& loop, int ranks);

  // Dispatches `callback` on `rank` when `delay` (>= 0) has passed. Inline, so that the event is built where
  // it is kept: copying what has just been stored in parts would take longer than all the rest.
  void after(std::uint32_t rank, Time delay, Event callback) {
    const Stamp due = loop_.clock().add(loop_.now(), loop_.clock().span(delay));
    const std::int64_t tick = (loop_.time() + delay).ps();
    for (std::uint32_t list = first_[rank]; list != none; list = lists_[list].next) {
      if (lists_[list].tick != tick) continue;
      append(lists_[list]) = callback;
      return;
    }
    const std::uint32_t list = new_list();
    lists_[list].tick = tick;
    lists_[list].callback = callback;
    lists_[list].more = none;
    lists_[list].next = first_[rank];
    first_[rank] = list;
    loop_.at(due, Event{handler_, 0, rank, list, 0});
  }

  void handle(const Event& event) override;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct List {  // of one rank and time
    std::int64_t tick;
    Event callback;  // the first, mostly the only one
    std::uint32_t more, last;
    std::uint32_t next;  // of the rank, or free
  };
  struct Node {
    Event callback;
    std::uint32_t next;
  };
  std::uint32_t new_list() {
    const std::uint32_t list = free_list_;
    if (list == none) return grow();
    free_list_ = lists_[list].next;
    return list;
  }
  std::uint32_t grow();
  Event& append(List& list);
  void close(std::uint32_t rank, std::uint32_t list);

  EventLoop& loop_;
  std::uint16_t handler_;
  std::vector<std::uint32_t> first_;  // list of each rank; few at a time
  std::vector<List> lists_;
  std::vector<Node> nodes_;
  std::uint32_t free_list_ = none;
  std::uint32_t free_node_ = none;
};

}  // namespace orrery
