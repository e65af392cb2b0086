// Keeps the times that the phases of streams take on their groups, and how often each was run
// (docs/models/streams.md, Phases in one go).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/streams/plan/stream_phase.hpp"
#include "collective/timelines/phase_timing.hpp"

namespace orrery::core {

// One phase on one kind of group. Positions are those in the group.
struct StreamTiming {
  StreamMembers members;  // members of one such group
  PhaseTiming timing;
  std::vector<Stamp> together;            // end of position x if all start at 0
  std::map<RankId, std::uint64_t> times;  // number of runs, by the group's first rank

  // Runs the course: position x starts at starts[x] and ends at ends[x]. Throws AmbiguousEventOrder when the
  // order of events within an instant decides when it ends.
  void run(std::span<const Stamp> starts, std::span<Stamp> ends) const;
};

class PhaseTimings {
 public:
  // Returns the time from the send of a message to its delivery.
  using Latency = std::function<Time(RankId source, RankId destination, Bytes bytes)>;

  explicit PhaseTimings(Latency latency) : latency_(std::move(latency)) {}

  // Returns the course of a phase on a group. `endpoint_delay` must always be the same for a shape.
  StreamTiming& timing(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay);

  // Calls visit(source, destination, bytes of a message, messages) for everything that has been sent. `npus`
  // is the number of NPUs of the machine where one rank stands for all of them; all groups then send what the
  // rank's group sends.
  using Visit = std::function<void(RankId, RankId, Bytes, std::uint64_t)>;
  void for_each_flow(std::optional<std::uint32_t> npus, const Visit& visit) const;

 private:
  Latency latency_;
  std::unordered_map<const StreamShape*, std::vector<std::unique_ptr<StreamTiming>>> timings_;
};

}  // namespace orrery::core
