// The loop of a simulation: the queue, the current time, and who handles which event.
#pragma once

#include <functional>
#include <vector>

#include "events/clock.hpp"
#include "events/event_queue.hpp"

namespace orrery {

class EventHandler {
 public:
  virtual void handle(const Event& event) = 0;

 protected:
  ~EventHandler() = default;
};

// Is told what schedules what.
class EventObserver {
 public:
  // The event at work, or whoever starts the simulation, schedules one for `at`.
  virtual void scheduled(Stamp at) = 0;
  // The event that was scheduled first of those left for `now` is at work from here on.
  virtual void begins(Stamp now) = 0;

 protected:
  ~EventObserver() = default;
};

class EventLoop {
 public:
  explicit EventLoop(Clock clock) : clock_(clock) {}
  // Keeps a reference. Events for the end of an instant are not shown.
  EventLoop(Clock clock, EventObserver& observer) : clock_(clock), observer_(&observer) {}

  // Returns the number that `Event::handler` has to carry.
  std::uint16_t add_handler(EventHandler& handler) {
    handlers_.push_back(&handler);
    return static_cast<std::uint16_t>(handlers_.size() - 1);
  }

  const Clock& clock() const { return clock_; }
  Stamp now() const { return now_; }
  // Now, as the layers above see it.
  Time time() const { return clock_.time(now_); }

  void at(Stamp stamp, const Event& event) {
    queue_.push(stamp, event);
    if (observer_) observer_->scheduled(stamp);
  }
  void after(Stamp span, const Event& event) { at(clock_.add(now_, span), event); }
  // Dispatched when no other event of the present instant is left; what it adds to the instant follows.
  void at_end_of_instant(const Event& event) { closing_.push_back(event); }
  void dispatch(const Event& event) { handlers_[event.handler]->handle(event); }

  // Runs until no event is left. `progress`, when set, is called every few ten thousand events.
  void run(const std::function<void()>& progress) {
    Event event;
    while (next(event)) {
      if ((++events_ & 0xffff) == 0 && progress) progress();
      dispatch(event);
    }
  }

  std::uint64_t events() const { return events_; }

 private:
  bool next(Event& event) {
    if (closing_.empty() || queue_.has_event_at(now_)) {
      if (!queue_.pop(now_, event)) return false;
      if (observer_) observer_->begins(now_);
      return true;
    }
    event = closing_.front();
    closing_.erase(closing_.begin());
    return true;
  }

  Clock clock_;
  EventObserver* observer_ = nullptr;
  EventQueue queue_;
  std::vector<Event> closing_;  // few
  std::vector<EventHandler*> handlers_;
  Stamp now_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace orrery
