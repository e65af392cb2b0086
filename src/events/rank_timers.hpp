// Delayed call-backs of simulated ranks, grouped by (rank, time). Each is known by the class that it stands
// for.
//
// The first call-back for a rank and time places one event in the queue; later ones join it and run with it,
// in order of registration. This decides who is first within one instant (docs/models/chunk-flow.md,
// Order within an instant).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/containers/prefetch.hpp"
#include "base/units/rank_id.hpp"
#include "events/event_loop.hpp"

namespace orrery::core {

class RankTimers final : public EventHandler {
 public:
  RankTimers(EventLoop& loop, int ranks);

  // Dispatches `callback` on a rank when `delay` (>= 0) has passed. The function is inline, so that the event
  // is built where it is kept: copying what has just been stored in parts would take longer than all the
  // rest.
  void after(ClassId of_class, Time delay, Event callback) {
    if (loop_.clock().counts_picoseconds()) {
      const Stamp due = loop_.clock().add(loop_.now(), delay.ps());
      at(of_class, due, due, callback);
    } else {
      after_real(of_class, delay, callback);
    }
  }

  // Returns whether a call-back of the rank is at work and none follows it in its list. If the clock counts
  // picoseconds, that call-back may then, as its last act, call directly what it would register without
  // delay.
  bool at_last_of(ClassId of_class) const { return last_at_work_ == of_class; }

  void handle(const Event& event) override;
  bool handles(const Event& event) const { return event.handler == handler_; }
  // Fetches into the cache what handling the event will need.
  void prefetch(const Event& event) const { orrery::core::prefetch(&lists_[event.object]); }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct List {  // call-backs of one rank and time
    std::int64_t tick;
    Event callback;  // the first call-back, which is mostly the only one
    std::uint32_t more, last;
    std::uint32_t earlier, later;  // other lists of the rank; in a free list, `earlier` is the next free one
  };
  struct Node {
    Event callback;
    std::uint32_t next;
  };

  void at(ClassId of_class, Stamp due, std::int64_t tick, Event callback) {
    std::uint32_t later = none, earlier = latest_[of_class.index()];
    while (earlier != none && lists_[earlier].tick > tick)
      later = std::exchange(earlier, lists_[earlier].earlier);
    if (earlier != none && lists_[earlier].tick == tick)
      append(lists_[earlier], callback);
    else
      add(of_class, due, tick, callback, earlier, later);
  }
  // Makes a list between two of the rank's.
  void add(ClassId of_class, Stamp due, std::int64_t tick, Event callback, std::uint32_t earlier,
           std::uint32_t later) {
    if (free_list_ == none) grow();
    const std::uint32_t number = free_list_;
    List& list = lists_[number];
    free_list_ = list.earlier;
    list.tick = tick;
    list.callback = callback;
    list.more = none;
    list.earlier = earlier;
    list.later = later;
    (later == none ? latest_[of_class.index()] : lists_[later].earlier) = number;
    if (earlier != none) lists_[earlier].later = number;
    loop_.at(due, Event{handler_, 0, of_class.value(), number, 0});
  }
  void grow();
  void after_real(ClassId of_class, Time delay, Event callback);
  void append(List& list, Event callback);
  void run_more(ClassId of_class, std::uint32_t list);
  void close(ClassId of_class, std::uint32_t list);

  EventLoop& loop_;
  std::uint16_t handler_;
  ClassId last_at_work_ = ClassId::none;  // the rank, see at_last_of()
  // Each rank's list of the latest time. Most delays of a simulation are equal, so a new list is the latest
  // or next to it, however many there are.
  std::vector<std::uint32_t> latest_;
  std::vector<List> lists_;
  std::vector<Node> nodes_;
  std::uint32_t free_list_ = none;
  std::uint32_t free_node_ = none;
};

}  // namespace orrery::core
