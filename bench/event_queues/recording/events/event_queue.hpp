// Stands in for src/events/event_queue.hpp where the simulator is compiled once more for this benchmark: the
// queue of the product, under another name, and around it one that notes what is asked of it.
#pragma once

#define EventQueue PresentQueue
#include "../../../../src/events/event_queue.hpp"
#undef EventQueue

namespace orrery {

// What a run asked of its queue, in order: the stamp of each event pushed, `pop` for each taken.
struct QueueOperations {
  static constexpr Stamp pop = -1;
  std::vector<Stamp> list;
  std::size_t most;
};
struct RecordingIsFull {};  // thrown to end the run

inline QueueOperations* recorded_operations = nullptr;

class EventQueue {
 public:
  void push(Stamp stamp, const Event& event) {
    record(stamp);
    queue_.push(stamp, event);
  }
  bool has_event_at(Stamp stamp) const { return queue_.has_event_at(stamp); }
  bool pop_open(Event& event) {
    if (!queue_.pop_open(event)) return false;
    record(QueueOperations::pop);
    return true;
  }
  bool open_next(Stamp& stamp) { return queue_.open_next(stamp); }
  template <class Next, class Soon>
  void look_ahead(const Next& next, const Soon& soon) const {
    queue_.look_ahead(next, soon);
  }

 private:
  static void record(Stamp operation) {
    if (recorded_operations->list.size() == recorded_operations->most) throw RecordingIsFull{};
    recorded_operations->list.push_back(operation);
  }
  PresentQueue queue_;
};

}  // namespace orrery
