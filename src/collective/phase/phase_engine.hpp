// Runs phases of chunks on the simulated ranks: message by message, or by what is known of their timelines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/plan/plan.hpp"
#include "events/clock.hpp"
#include "topology/rank_parts.hpp"

namespace orrery::core {

class PhaseListener {
 public:
  // Called once per class, and never before start() has returned.
  virtual void phase_ended(ClassId of_class, std::uint32_t chunk) = 0;
  // Called instead for classes that were started with start_together(). The span is the one that was given
  // then.
  virtual void group_ended(std::span<const ClassId> classes, std::uint32_t chunk) {
    for (const ClassId of_class : classes) phase_ended(of_class, chunk);
  }

 protected:
  ~PhaseListener() = default;
};

// Messages that one rank received in one phase.
struct ReceiveStatistics {
  Time latency_sum;  // arrival minus posting of the receive, over all messages
  std::uint64_t messages = 0;
};

// Returns how many of a part's classes take part in a phase, which are `classes` in all parts.
// `representative(of_class)` is one of the ranks of a class. `absent` of them do not, because they are not
// simulated in it.
template <class Representative>
std::uint32_t members_of(const PhaseShape& shape, const RankParts& parts, std::uint32_t part,
                         std::uint32_t classes, const Representative& representative,
                         std::uint32_t absent = 0) {
  if (shape.pins.empty()) return parts[part].simulated - absent;
  std::uint32_t members = 0;
  for (const ClassId of_class : first_ids<ClassId>(classes))
    if (parts.of(of_class) == part && shape.takes_part(npu_of(representative(of_class)))) ++members;
  return members;
}

// A simulated rank is known by the class for which it is simulated.
class PhaseEngine {
 public:
  virtual ~PhaseEngine() = default;

  using RunId = std::uint32_t;
  // Opens a phase of a chunk on the ranks of a part, of which so many are absent. It closes by itself when
  // each of the others has ended it. Only phases of which all members may start can have absent ones.
  virtual RunId open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part,
                     std::uint32_t absent) = 0;
  // Starts the phase on a rank, which does not end it before `earliest_end`.
  virtual void start(RunId run, ClassId of_class, Stamp earliest_end) = 0;
  // Starts the phase on all members of a group if they are known to end together, and returns true. Otherwise
  // returns false, and nothing has happened. The span has to stay valid.
  [[nodiscard]] virtual bool start_together(RunId /*run*/, std::span<const ClassId> /*classes*/,
                                            Stamp /*earliest_end*/) {
    return false;
  }

  // Returns what the part's recorded rank has received in the phase. Must be called once, when the phase has
  // ended on that rank.
  [[nodiscard]] virtual ReceiveStatistics take_receive_statistics(RunId run) = 0;
  // Returns the bytes that the recorded rank of a part has sent, per dimension of the topology.
  virtual const std::vector<Bytes>& payload(std::uint32_t part) const = 0;
  // Returns what the rank of a class waits for, which has started the phase and not ended it: "has received
  // ...". This is for the report of a stalled run.
  virtual std::string waiting(RunId run, ClassId of_class) const = 0;
  // Returns the number of messages sent by all ranks, folded ones included.
  virtual std::uint64_t messages() const = 0;
};

}  // namespace orrery::core
