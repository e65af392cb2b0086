// Simulates what computation and collectives of a rank take from each other (docs/models/contention.md).
//
// While a collective is under way on a rank, its computations go on more slowly. While it computes, its part
// of a collective falls behind the network, and when the network is through, the rank makes up for that. So
// neither can be quicker than without the other, whatever carries out the collective.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "events/rank_timers.hpp"
#include "program/execution_graph.hpp"

namespace orrery::core {

class EndpointContention {
 public:
  using Id = ExecutionGraph::Id;

  // The events by which whoever asks hears that a computation or collective may be over.
  struct Events {
    std::uint16_t handler = 0, of_computation = 0, of_collective = 0;
  };

  // Keeps references.
  EndpointContention(EventLoop& loop, RankTimers& timers, std::uint32_t classes, const Events& events)
      : loop_(loop), timers_(timers), events_(events), endpoints_(classes) {}

  // A computation begins that takes `alone` (> 0) if no collective is under way.
  void compute(ClassId of_class, Id id, Time alone, const Contention& contention);
  // A rank joins a collective.
  void join(ClassId of_class, Id id);
  // The network is through with a collective that the rank has joined. Returns whether the rank is, too. If
  // it is not, there will be an event.
  [[nodiscard]] bool arrive(ClassId of_class, Id id);

  // Return whether the computation or collective of an event is over; it may be that something has slowed it
  // down since the event was scheduled, or that another event has said so.
  [[nodiscard]] bool computed(const Event& event);
  [[nodiscard]] bool caught_up(const Event& event);

  // Returns by how much the rank's computations have taken longer because of collectives.
  Time longer(ClassId of_class) const { return endpoints_[of_class.index()].longer; }

 private:
  // A computation, or a collective for which the rank has to make up.
  struct Task {
    Id id;
    Time left;  // if nothing slowed it down
    Time alone;
    Contention contention;  // of a computation
    std::uint32_t number;   // of its event; those of other numbers are void
  };
  struct Joined {
    Id id;
    Time lost;  // Endpoint::lost when the rank joined
  };
  struct Endpoint {
    std::vector<Task> computations, late;
    std::vector<Joined> joined;
    Time since;   // the time up to which tasks are known
    Time lost;    // by which a collective would lag behind that has been under way all along
    Time longer;  // by which computations have taken longer
    std::uint32_t last_number = 0;

    bool communicates() const { return !joined.empty() || !late.empty(); }
    std::uint32_t slows_by_ppm() const;
  };

  // What decides how fast tasks are.
  struct Pace {
    bool communicates;
    std::uint32_t slows_by_ppm;
    bool operator==(const Pace&) const = default;
  };
  static Pace pace_of(const Endpoint& endpoint) { return {endpoint.communicates(), endpoint.slows_by_ppm()}; }

  // Brings the tasks of an endpoint up to the present, before its pace changes.
  Endpoint& settled(ClassId of_class);
  // Schedules the events of tasks anew if the pace is no longer what it was.
  void reschedule(ClassId of_class, const Pace& before);
  void schedule_computation(ClassId of_class, Task& task);
  void schedule_late(ClassId of_class, Task& task);
  Event event_of(std::uint16_t what, ClassId of_class, const Task& task) const {
    return {events_.handler, what, of_class.value(), task.id, task.number};
  }

  EventLoop& loop_;
  RankTimers& timers_;
  const Events events_;
  std::vector<Endpoint> endpoints_;  // by class
};

}  // namespace orrery::core
