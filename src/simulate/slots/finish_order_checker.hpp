// Watches for instants in which several operations of a rank finish and their order, which is not known,
// decides what the rank issues next. (docs/models/folding.md, "Traces in one go")
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/containers/prefetch.hpp"
#include "base/units/rank_id.hpp"
#include "base/units/time.hpp"
#include "program/execution_graph.hpp"

namespace orrery::core {

class FinishOrderChecker {
 public:
  static constexpr std::size_t slots = operation_slots;  // slots that hold one operation each
  static constexpr std::size_t no_slot = 3;              // slot of operations that need none
  static constexpr std::uint32_t no_operation = 0xffffffff;
  // The first free operation that waits for each slot.
  using Waiting = std::array<std::uint32_t, slots>;

  explicit FinishOrderChecker(std::size_t ranks) : ranks_(ranks) {}

  // An operation in `slot` finishes, whether or not it is the first at this time. This and the following
  // functions throw AmbiguousEventOrder if the order in which they finished at an earlier time mattered.
  void finishes(RankId rank, Time now, std::size_t slot, const Waiting& waiting,
                const std::array<bool, slots>& occupied);
  // An operation becomes free because the one that finishes() reported has finished.
  void frees(RankId rank, Time now, std::uint32_t operation, std::size_t slot);
  void issues(RankId rank, Time now, std::size_t slot);
  // An operation finishes where it is issued, and what it frees waits for something else to finish.
  void skips(RankId rank, Time now);
  // Fetches into the cache what will be needed when one of the rank's operations finishes.
  void prefetch(RankId rank) const { orrery::core::prefetch(&ranks_[rank.index()]); }
  // Must be called when the run is over: checks the last instant of each rank.
  void end() const;

 private:
  struct Slot {
    bool occupied = false;  // whether it was when the instant began
    bool vacated = false;
    std::uint8_t issued = 0;  // up to 2
    // Number of operations that freed others for the slot without vacating it, up to 2.
    std::uint8_t others = 0;
    std::uint32_t first = no_operation;  // first operation that waited, or that the vacating one freed
    std::uint32_t first_of_others = no_operation;
  };
  struct alignas(64) Instant {  // a cache line
    Time at = Time::from_ps(-1);
    std::uint8_t finishes = 0;  // up to 2
    bool skips = false;
    std::uint8_t slot = no_slot;          // slot of the operation that finishes
    std::array<bool, slots + 1> freed{};  // slots for which that one freed others
    std::array<Slot, slots + 1> of;
  };

  static void check(const Instant& instant);

  std::vector<Instant> ranks_;
};

}  // namespace orrery::core
