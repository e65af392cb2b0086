// Delayed call-backs of ranks, grouped by (rank, time).
//
// The first call-back for a rank and time places one event in the queue; later ones join it and run with it,
// in order of registration. This decides who is first within one instant (spec: system layer, "per-NPU
// delayed call-back").
#pragma once

#include <cstdint>
#include <utility>
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
    const std::int64_t tick = loop_.clock().counts_picoseconds() ? due : (loop_.time() + delay).ps();
    std::uint32_t later = none, earlier = latest_[rank];
    while (earlier != none && lists_[earlier].tick > tick)
      later = std::exchange(earlier, lists_[earlier].earlier);
    if (earlier != none && lists_[earlier].tick == tick) {
      append(lists_[earlier]) = callback;
      return;
    }
    const std::uint32_t list = new_list();
    lists_[list].tick = tick;
    lists_[list].callback = callback;
    lists_[list].more = none;
    link(rank, list, earlier, later);
    loop_.at(due, Event{handler_, 0, rank, list, 0});
  }

  void handle(const Event& event) override;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct List {  // of one rank and time
    std::int64_t tick;
    Event callback;  // the first, mostly the only one
    std::uint32_t more, last;
    std::uint32_t earlier, later;  // of the rank's; of a free one, `earlier` is another free one
  };
  struct Node {
    Event callback;
    std::uint32_t next;
  };
  std::uint32_t new_list() {
    const std::uint32_t list = free_list_;
    if (list == none) return grow();
    free_list_ = lists_[list].earlier;
    return list;
  }
  std::uint32_t grow();
  Event& append(List& list);
  void close(std::uint32_t rank, std::uint32_t list);
  void link(std::uint32_t rank, std::uint32_t list, std::uint32_t earlier, std::uint32_t later) {
    lists_[list].earlier = earlier;
    lists_[list].later = later;
    (later == none ? latest_[rank] : lists_[later].earlier) = list;
    if (earlier != none) lists_[earlier].later = list;
  }

  EventLoop& loop_;
  std::uint16_t handler_;
  // Of each rank, its list of the latest time. Most delays of a simulation are one and the same, so that a
  // new list is the latest, however many there are.
  std::vector<std::uint32_t> latest_;
  std::vector<List> lists_;
  std::vector<Node> nodes_;
  std::uint32_t free_list_ = none;
  std::uint32_t free_node_ = none;
};

}  // namespace orrery
