// Watches a folded simulation with a barrier over the machine for instants in which the order of ranks would
// matter.
//
// Chunks touch the same queue in the same instant when one leaves it and another enters it or is issued to
// it. They may do so in either order, which in a simulation of every message depends on where in the machine
// a rank stands. The order is known only for chunks that one program issues, and for those that went in step:
// through equal phases, in the same queue, begun in the same instant. So all other orders are tried on the
// queue, and have to end alike. (docs/models/folding.md, "Folding")
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "collective/flow/chunk_queue.hpp"
#include "collective/flow/chunk_scheduler.hpp"
#include "collective/timelines/phase_timeline.hpp"

namespace orrery::core {

class TieOrderChecker {
 public:
  // Keeps a reference.
  TieOrderChecker(PhaseTimelines& timelines, const SystemConfig& system)
      : timelines_(timelines), rules_(system), endpoint_delay_(system.endpoint_delay) {}

  // The caller reports every event in the order in which the folded simulation does it. These functions throw
  // AmbiguousEventOrder if at an earlier time another order was possible and would have mattered; end()
  // checks the last instant. moves() says that a chunk leaves a phase that started at `started`, for its next
  // phase if there is one.
  void moves(Time now, std::uint32_t chunk, const ChunkInfo& info, std::uint32_t phase, Time started);
  // A chunk enters its first phase.
  void issued(Time now, std::uint32_t chunk, const ChunkInfo& info);
  void end() { close_instant(); }

 private:
  using QueueKey = std::pair<int, int>;  // dimension, queue
  struct Move {
    std::uint32_t chunk;
    const PhasePlan* from;  // null: issued
    const PhasePlan* to;    // null: the chunk is finished
    Time started;
    ChunkQueue::Item enters;  // `to`
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
  // Returns whether `a` and `b`, which the folded simulation does in this order, may happen in the other
  // order.
  bool may_swap(const Move& a, const Move& b) const;
  // Returns whether the last messages of their phases say which of them ends first.
  bool is_ordered_by_last_messages(const Move& a, const Move& b) const;
  // Returns whether the moves may happen in this order.
  bool is_possible(const Order& order) const;
  // Throws AmbiguousEventOrder when the moves that touch a queue may happen in orders of different outcomes.
  void check_orders(QueueKey key, const Order& touching);
  // Makes the move in one of the queues that it touches; started() hears of the chunks that get their turn.
  template <class Started>
  void apply(const Move& move, QueueKey key, ChunkQueue& queue, const Started& started) const;
  Outcome outcome_of(const Order& order, QueueKey key);
  [[noreturn]] void give_up(const Order& touching) const;

  PhaseTimelines& timelines_;
  QueueRules rules_;
  Time endpoint_delay_;
  std::map<QueueKey, ChunkQueue> queues_;  // as they were before the present instant
  Time now_ = Time::from_ps(-1);
  std::vector<Move> moves_;  // moves in the present instant
};

}  // namespace orrery::core
