// Watches a folded simulation with a barrier over the machine for instants in which the order of ranks would
// matter.
//
// Chunks that touch the same queue in the same instant - one leaves it, another enters it or is issued to it
// - may do so in either order. Simulated message by message, the order follows from when the last step of
// each phase was registered and its last message sent, or, for phases that went in step all the way, from
// which started first. Where none of these decides, it depends on where in the machine a rank stands.
// (docs/design.md, "Folding")
#pragma once

#include <vector>

#include "collective/chunk_flow.hpp"
#include "collective/phase_timeline.hpp"

namespace orrery {

class TieWatch {
 public:
  // Keeps references.
  TieWatch(PhaseTimelines& timelines, Time endpoint_delay)
      : timelines_(timelines), endpoint_delay_(endpoint_delay) {}

  // In the order in which the folded simulation does it. Each throws OrderMatters when the order of what
  // happens in the present instant may be another one and would matter.
  // A chunk leaves a phase that started at `started`, for its next one if there is one.
  void moves(Time now, std::uint32_t chunk, const ChunkPlan& plan, std::uint32_t phase, Time started);
  // A chunk enters its first phase.
  void issued(Time now, std::uint32_t chunk, const ChunkPlan& plan);
  // A chunk gets its turn, because of the last move.
  void starts(Time now, std::uint32_t chunk, const PhaseShape& shape);

 private:
  struct Move {
    std::uint32_t chunk;
    const PhasePlan* from;  // null: issued
    const PhasePlan* to;    // null: the chunk is finished
    Time started;
    bool doubtful;  // whether it started before or after others of its course
  };
  struct Start {
    std::uint32_t chunk;
    std::uint32_t course;
    std::size_t cause;  // in moves_
  };
  void begin_instant(Time now);
  void add(const Move& move);
  bool ordered(const Move& a, const Move& b);

  PhaseTimelines& timelines_;
  Time endpoint_delay_;
  Time now_ = Time::from_ps(-1);
  std::vector<Move> moves_;     // of that instant
  std::vector<Start> starts_;   // likewise
  std::vector<bool> doubtful_;  // by chunk
};

}  // namespace orrery
