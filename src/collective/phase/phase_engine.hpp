// Runs phases of chunks on the simulated ranks: message by message, or by what is known of their timelines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collective/plan/plan.hpp"
#include "events/clock.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {

class PhaseListener {
 public:
  // Called once per simulated rank, and never before start() has returned.
  virtual void phase_ended(std::uint32_t rank, std::uint32_t chunk) = 0;
  // Called instead for ranks that were started with start_together(). The span is the one that was given
  // then.
  virtual void group_ended(std::span<const std::uint32_t> ranks, std::uint32_t chunk) {
    for (const std::uint32_t rank : ranks) phase_ended(rank, chunk);
  }

 protected:
  ~PhaseListener() = default;
};

// Messages that one rank received in one phase.
struct ReceiveStatistics {
  Time latency_sum;  // arrival minus posting of the receive, over all messages
  std::uint64_t messages = 0;
};

// Returns how many of a part's simulated ranks take part in a phase. `npu_of(rank)` is one of the NPUs for
// which a rank is simulated. `absent` of them do not, because they are not simulated in it.
template <class NpuOf>
std::uint32_t members_of(const PhaseShape& shape, const RankParts& parts, std::uint32_t part,
                         std::uint32_t ranks, const NpuOf& npu_of, std::uint32_t absent = 0) {
  if (shape.pins.empty()) return parts[part].simulated - absent;
  std::uint32_t members = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    if (parts.of(rank) == part && shape.takes_part(static_cast<int>(npu_of(rank)))) ++members;
  return members;
}

// "Rank" is the number of a simulated rank, or of a class where ranks are folded.
class PhaseEngine {
 public:
  virtual ~PhaseEngine() = default;

  using RunId = std::uint32_t;
  // Opens a phase of a chunk on the ranks of a part, of which so many are absent. It closes by itself when
  // each of the others has ended it. Only phases of which all members may start can have absent ones.
  virtual RunId open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part,
                     std::uint32_t absent) = 0;
  // Starts the phase on a rank, which does not end it before `earliest_end`.
  virtual void start(RunId run, std::uint32_t rank, Stamp earliest_end) = 0;
  // Starts the phase on all members of a group if they are known to end together, and returns true. Otherwise
  // returns false, and nothing has happened. The span has to stay valid.
  [[nodiscard]] virtual bool start_together(RunId /*run*/, std::span<const std::uint32_t> /*ranks*/,
                                            Stamp /*earliest_end*/) {
    return false;
  }

  // Returns what the part's recorded rank has received in the phase. Must be called once, when the phase has
  // ended on that rank.
  [[nodiscard]] virtual ReceiveStatistics take_receive_statistics(RunId run) = 0;
  // Returns the bytes that the recorded rank of a part has sent, per dimension of the topology.
  virtual const std::vector<Bytes>& payload(std::uint32_t part) const = 0;
  // Returns what `rank` waits for, which has started the phase and not ended it: "has received ...". This is
  // for the report of a stalled run.
  virtual std::string waiting(RunId run, std::uint32_t rank) const = 0;
  // Returns the number of messages sent by all ranks, folded ones included.
  virtual std::uint64_t messages() const = 0;
};

}  // namespace orrery
