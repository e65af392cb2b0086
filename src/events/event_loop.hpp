// The loop of a simulation: the queue, the current time, and who handles which event.
#pragma once

#include <functional>
#include <vector>

#include "events/clock.hpp"
#include "events/event_queue.hpp"

namespace orrery::core {

class EventHandler {
 public:
  virtual void handle(const Event& event) = 0;

 protected:
  ~EventHandler() = default;
};

// An observer that learns which event schedules which.
class EventObserver {
 public:
  // The event at work, or the code that starts the simulation, schedules an event for `at`.
  virtual void scheduled(Stamp at) = 0;
  // From here on, the event at work is the one that was scheduled first of those left for `now`.
  virtual void begins(Stamp now) = 0;

 protected:
  ~EventObserver() = default;
};

// An observer that learns, before an event is handled, which ones are likely to follow, so that it can fetch
// what they need.
class EventForesight {
 public:
  virtual void comes_soon(const Event& event) const = 0;
  // Says which event comes next. In most cases comes_soon() has announced it before.
  virtual void comes_next(const Event& event) const = 0;

 protected:
  ~EventForesight() = default;
};

class EventLoop {
 public:
  explicit EventLoop(Clock clock) : clock_(clock) {}
  // Keeps a reference to the argument. Events for the end of an instant are not shown to it.
  EventLoop(Clock clock, EventObserver& observer) : clock_(clock), observer_(&observer) {}

  // Returns the number that `Event::handler` has to carry.
  std::uint16_t add_handler(EventHandler& handler) {
    handlers_.push_back(&handler);
    return static_cast<std::uint16_t>(handlers_.size() - 1);
  }

  // Keeps the pointer.
  void set_foresight(const EventForesight& foresight) { foresight_ = &foresight; }

  const Clock& clock() const { return clock_; }
  Stamp now() const { return now_; }
  // Returns the present time as the layers above see it.
  Time time() const { return clock_.time(now_); }

  // Schedules an event. The function is inline, so that the event is built where it is kept.
  void at(Stamp stamp, const Event& event) {
    queue_.push(stamp, event);
    if (observer_) observer_->scheduled(stamp);
  }
  void after(Stamp span, const Event& event) { at(clock_.add(now_, span), event); }
  // Dispatches the event when no other event of the present instant is left. Events that it adds to the
  // instant follow.
  void at_end_of_instant(const Event& event) { closing_.push_back(event); }
  // Return whether events of the present instant are left, and the time of the next event; the latter is
  // the present when events for the end of the instant are left, and the largest Stamp when none is.
  bool has_more_now() const { return queue_.has_event_at(now_); }
  Stamp next() const { return closing_.empty() ? queue_.next() : now_; }
  void dispatch(const Event& event) { handlers_[event.handler]->handle(event); }

  // Runs until no event is left, or at the end of an instant `done` says that the others do not matter.
  // `progress`, when set, is called every few ten thousand events.
  void run(const std::function<void()>& progress, const std::function<bool()>& done = {}) {
    until_report_ = events_between_reports;
    done_ = done ? &done : nullptr;
    progress_ = progress ? &progress : nullptr;
    Event event;
    do {
      while (queue_.pop_open(event)) {
        if (observer_) observer_->begins(now_);
        if (foresight_) look_ahead();
        ++events_;
        dispatch(event);
        if (--until_report_ <= 0) report_in_turn();
      }
    } while (close_instant() || (!is_done() && queue_.open_next(now_)));
    done_ = nullptr;
    progress_ = nullptr;
  }
  // Reports progress out of turn, for an event that takes as long as very many others.
  void report() const {
    if (progress_) (*progress_)();
  }
  // Returns whether run() will not go on to a later time, so that nobody may run ahead of it.
  bool is_done() const { return done_ && (*done_)(); }

  std::uint64_t events() const { return events_; }
  // Says that the event at work has taken as long as `events` events, so that run() reports progress in time.
  void add_work(std::int64_t events) { until_report_ -= events; }

 private:
  static constexpr std::int64_t events_between_reports = 0x10000;

  void look_ahead() const {
    queue_.look_ahead([this](const Event& event) { foresight_->comes_next(event); },
                      [this](const Event& event) { foresight_->comes_soon(event); });
  }
  // Dispatches the first event for the end of the instant, if that end has come; false when there is none.
  [[nodiscard]] bool close_instant() {
    if (closing_.empty() || queue_.has_event_at(now_)) return false;
    const Event event = closing_.front();
    closing_.erase(closing_.begin());
    ++events_;
    dispatch(event);
    if (--until_report_ <= 0) report_in_turn();
    return true;
  }
  [[gnu::noinline]] void report_in_turn() {
    until_report_ = events_between_reports;
    report();
  }

  Clock clock_;
  EventObserver* observer_ = nullptr;
  const EventForesight* foresight_ = nullptr;
  const std::function<bool()>* done_ = nullptr;  // while it runs
  const std::function<void()>* progress_ = nullptr;
  EventQueue queue_;
  std::vector<Event> closing_;  // there are few
  std::vector<EventHandler*> handlers_;
  Stamp now_ = 0;
  std::uint64_t events_ = 0;
  std::int64_t until_report_ = events_between_reports;  // number of events
};

}  // namespace orrery::core
