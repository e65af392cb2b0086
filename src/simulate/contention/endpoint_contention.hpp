// Simulates what computation and collectives of ranks take from each other: an Endpoint for each class of
// ranks, whose ends are events.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units/rank_id.hpp"
#include "events/rank_timers.hpp"
#include "program/endpoint.hpp"

namespace orrery::core {

class EndpointContention {
 public:
  using Id = Endpoint::Id;

  // The event by which whoever asks hears that a computation or collective may be over.
  struct EventKind {
    std::uint16_t handler = 0, what = 0;
  };

  // Keeps references.
  EndpointContention(EventLoop& loop, RankTimers& timers, std::uint32_t classes, const EventKind& event)
      : loop_(loop), timers_(timers), event_(event), ranks_(classes) {}

  // See Endpoint. If arrive() returns false, there will be an event.
  void compute(ClassId of_class, Id id, Time alone, const Contention& contention);
  void join(ClassId of_class, Id id);
  [[nodiscard]] bool arrive(ClassId of_class, Id id);

  // Returns what is over with an event. None: something has begun or ended since the event was scheduled, and
  // there will be another one.
  [[nodiscard]] std::optional<Endpoint::End> ended(const Event& event);

  // Returns by how much the rank's computations have taken longer because of collectives.
  Time longer(ClassId of_class) const { return ranks_[of_class.index()].endpoint.longer(); }

 private:
  struct Rank {
    Endpoint endpoint;
    std::optional<Endpoint::End> scheduled;
    std::uint32_t number = 0;  // of its event; those of other numbers are void
  };

  // Schedules what ends next, unless its event is there.
  void schedule(ClassId of_class);

  EventLoop& loop_;
  RankTimers& timers_;
  const EventKind event_;
  std::vector<Rank> ranks_;  // by class
};

}  // namespace orrery::core
