// Moves chunks from phase to phase: decides when they may leave a phase, wait for the next one, and get their
// turn in it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/dialect.hpp"
#include "collective/plan/plan.hpp"
#include "collective/plan/system_config.hpp"
#include "events/clock.hpp"
#include "topology/rank_classes.hpp"

namespace orrery {

// A chunk as all ranks see it; its number is its place in the table.
struct ChunkInfo {
  const ChunkPlan* plan;
  int priority;
  std::uint32_t collective;
  std::uint32_t ranks;  // number of simulated ranks that take part
};

// Interface through which a flow reads and drives the engine around it.
class ChunkHost {
 public:
  virtual const ChunkInfo& chunk(std::uint32_t chunk) const = 0;
  virtual void entered(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) = 0;
  // A group starts a phase together. This is called only in flows by groups, within one instant in the order
  // of the chunks. Returns true if ChunkFlow::group_ended() will be called with the same span. Otherwise
  // start() has to follow for each member.
  [[nodiscard]] virtual bool group_starts(std::span<const std::uint32_t> /*ranks*/, std::uint32_t /*chunk*/,
                                          std::uint32_t /*phase*/) {
    return false;
  }
  // Runs the phase on this rank; phase_ended() is called back later, never before start() returns.
  virtual void start(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) = 0;
  virtual void left(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) = 0;
  virtual void finished(std::uint32_t rank, std::uint32_t chunk) = 0;
  // Called instead of finished() for a group whose phase ended at once. The span stays valid.
  virtual void group_finished(std::span<const std::uint32_t> ranks, std::uint32_t chunk) {
    for (const std::uint32_t rank : ranks) finished(rank, chunk);
  }
  // Asks for a call of ChunkFlow::group_arrives() at that time, which may be the present. Only flows by
  // groups use this.
  virtual void tell_when_group_arrives(Stamp /*at*/, std::uint32_t /*chunk*/, std::uint32_t /*group*/) {}
  // Asks for a call of ChunkFlow::instant_ends(), once, when nothing else is left to happen in this instant.
  virtual void tell_when_instant_ends() = 0;

 protected:
  ~ChunkHost() = default;
};

// A phase of a chunk on a group of ranks that has not ended everywhere. It is listed for a stalled run.
struct WaitingPhase {
  enum class State : std::uint8_t {
    running,  // `rank` has started it and not ended
    absent,   // `rank` has not reached it
    queued    // the chunk waits for its turn; `rank` is one of the group
  };
  State state = State::running;
  std::uint32_t chunk = 0, phase = 0;
  std::uint32_t rank = 0;  // the lowest rank of which this can be said
  // Ranks of the group: all of them, and those of which it cannot be said.
  std::uint32_t members = 0, ready = 0;

  bool operator==(const WaitingPhase&) const = default;
};

// Ranks are numbers of simulated ranks. Where ranks are folded, they are numbers of classes.
class ChunkFlow {
 public:
  virtual ~ChunkFlow() = default;

  // A rank brings a chunk into being. Chunks are created in the order of their numbers. `at` is the present;
  // in flows by groups it may lie ahead of it.
  virtual void create(std::uint32_t rank, std::uint32_t chunk, Stamp at) = 0;
  // A rank has issued a collective and created all its chunks.
  virtual void issued(std::uint32_t rank) = 0;
  virtual void phase_ended(std::uint32_t rank, std::uint32_t chunk) = 0;
  // All members of a group have ended a phase in this instant.
  virtual void group_ended(std::span<const std::uint32_t> ranks, std::uint32_t chunk) {
    for (const std::uint32_t rank : ranks) phase_ended(rank, chunk);
  }
  // All members of a group of a chunk's first phase have brought it into being.
  virtual void group_arrives(std::uint32_t /*chunk*/, std::uint32_t /*group*/) {}
  virtual void instant_ends() {}
  virtual std::vector<WaitingPhase> waiting() const = 0;
};

// The queues of a dimension: how many slots each has, and which one a new chunk joins.
struct QueueRules {
  int queues_per_dimension;
  int slots;
  QueueOrder order;

  explicit QueueRules(const SystemConfig& system)
      : queues_per_dimension(system.queues_per_dimension), slots(system.slots()), order(system.queue_order) {}
};

// Makes the flow for a barrier. `in_step`: all ranks issue each collective in the same instant.
std::unique_ptr<ChunkFlow> make_chunk_flow(PhaseBarrier barrier, ChunkHost& host, const SystemConfig& system,
                                           int dimensions, const RankClasses& classes, bool in_step);

}  // namespace orrery
