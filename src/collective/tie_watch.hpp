// Watches a folded simulation with a barrier over the machine for instants in which the order of ranks would
// matter.
//
// Chunks that touch the same queue in the same instant - one leaves it, another enters it or is issued to it
// - may do so in either order. Simulated message by message, the order follows from when the last step of
// each phase was registered and its last message sent, or, for phases that went in step all the way, from
// which started first. Where none of these decides, it depends on where in the machine a rank stands; so all
// possible orders are tried on the queue, and have to end alike. (docs/design.md, "Folding")
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "collective/chunk_flow.hpp"
#include "collective/chunk_queue.hpp"
#include "collective/phase_timeline.hpp"

namespace orrery {

class TieWatch {
 public:
  // Keeps references.
  TieWatch(PhaseTimelines& timelines, const SystemConfig& system)
      : timelines_(timelines), rules_(system), endpoint_delay_(system.endpoint_delay) {}

  // The caller reports every event in the order in which the folded simulation does it. These functions throw
  // OrderMatters if at an earlier time another order was possible and would have mattered; end() checks the
  // last one. moves(): a chunk leaves a phase that started at `started`, for its next phase if there is one.
  void moves(Time now, std::uint32_t chunk, const ChunkInfo& info, std::uint32_t phase, Time started);
  // A chunk enters its first phase.
  void issued(Time now, std::uint32_t chunk, const ChunkInfo& info);
  // A chunk gets its turn.
  void starts(Time now, std::uint32_t chunk, const PhasePlan& phase);
  void end() { close_instant(); }

 private:
  using QueueKey = std::pair<int, int>;  // dimension, queue
  struct Move {
    std::uint32_t chunk;
    const PhasePlan* from;  // null: issued
    const PhasePlan* to;    // null: the chunk is finished
    Time started;
    bool doubtful;            // whether it started before or after others of its course
    ChunkQueue::Item enters;  // `to`
  };
  struct Start {
    std::uint32_t chunk;
    std::uint32_t course;
    QueueKey queue;
    std::size_t cause;  // in moves_
  };
  struct Outcome {
    ChunkQueue queue;
    std::vector<std::uint32_t> started;  // chunks, in the order in which they start
    bool operator==(const Outcome&) const = default;
  };
  using Order = std::vector<std::size_t>;  // indices into moves_

  static QueueKey key_of(const PhasePlan& phase) { return {phase.dimension, phase.queue}; }
  void begin_instant(Time now);
  void close_instant();
  // Returns whether `a` and `b`, which the folded simulation does in this order, may happen in the other one.
  bool may_swap(const Move& a, const Move& b);
  // Throws OrderMatters when the moves that touch a queue may happen in orders of different outcomes.
  bool any_may_swap(const Order& touching);
  void check_orders(QueueKey key, const Order& touching);
  // Returns the orders in which `touching` may happen, at most `most` of them.
  std::vector<Order> possible_orders(const Order& touching, std::size_t most);
  void apply(std::size_t move, QueueKey key, Outcome& outcome) const;
  [[noreturn]] void give_up(const Order& touching) const;

  PhaseTimelines& timelines_;
  QueueRules rules_;
  Time endpoint_delay_;
  std::map<QueueKey, ChunkQueue> queues_;  // as they were before the present instant
  Time now_ = Time::from_ps(-1);
  std::vector<Move> moves_;     // moves in the present instant
  std::vector<Start> starts_;   // starts in the present instant
  std::vector<bool> doubtful_;  // by chunk
};

}  // namespace orrery
