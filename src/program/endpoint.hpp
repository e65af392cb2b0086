// Times computations and collectives that share a rank's device (docs/models/contention.md).
//
// While a collective is under way on a rank, its computations go on more slowly. While it computes, its part
// of a collective falls behind the network, and when the network is through, the rank makes up for that. So
// neither can be quicker than without the other, whatever carries out the collective. Simulations of events
// and recurrences share this class, so that they count the same picoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units/time.hpp"

namespace orrery::core {

// Says what a computation and collectives beside it cost each other.
struct Contention {
  Time longer;                     // by which the computation takes longer if they are under way all along
  std::uint32_t slows_by_ppm = 0;  // parts per million of their speed that collectives lose meanwhile
  // The part of the computation's duration that is due to collectives that are no operations of their own.
  Time within = {};

  // Returns what counts for a part of a computation that takes `whole`.
  Contention of_part(Time part, Time whole) const;

  bool operator==(const Contention&) const = default;
};

// Callers tell what happens in the order of time: `now` is never less than in the call before.
class Endpoint {
 public:
  using Id = std::uint32_t;

  // Says which computation or collective ends next, unless something else begins or ends before.
  struct End {
    Time at;
    Id id = 0;
    bool computation = false;  // otherwise it is a collective

    bool operator==(const End&) const = default;
  };

  // A computation begins that takes `alone` (> 0) if no collective is under way.
  void compute(Time now, Id id, Time alone, const Contention& contention);
  // The rank joins a collective.
  void join(Time now, Id id);
  // The network is through with a collective that the rank has joined. Returns whether the rank is, too. If
  // it is not, the collective is among what ends later.
  [[nodiscard]] bool arrive(Time now, Id id);
  // Returns none where nothing ends by itself.
  std::optional<End> next() const;
  // Lets end what next() has returned.
  void end(const End& end);

  // Returns by how much computations have taken longer because of collectives.
  Time longer() const { return longer_; }
  // Returns by how much a collective would lag behind that has been under way all along.
  Time lost(Time now) { return settle(now), lost_; }

 private:
  // A computation, or a collective for which the rank has to make up.
  struct Task {
    Id id;
    Time left;  // if nothing slowed it down
    Time alone;
    Contention contention;  // of a computation
  };
  struct Joined {
    Id id;
    Time lost;  // lost_ when the rank joined
  };

  bool communicates() const { return !joined_.empty() || !late_.empty(); }
  std::uint32_t slows_by_ppm() const;
  // Brings the tasks up to the present, before their speeds change.
  void settle(Time now);
  Time rest_of_computation(const Task& task) const;
  Time rest_of_late(const Task& task) const;

  std::vector<Task> computations_, late_;
  std::vector<Joined> joined_;
  Time since_;  // the time up to which tasks are known
  Time lost_, longer_;
};

}  // namespace orrery::core
