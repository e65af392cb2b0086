// Moves chunks from phase to phase: decides when they may leave a phase, wait for the next one, and get their
// turn in it. Chunks move on each class of ranks (topology/rank_classes.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/dialect.hpp"
#include "base/units/rank_id.hpp"
#include "collective/plan/plan.hpp"
#include "collective/plan/system_config.hpp"
#include "events/clock.hpp"
#include "topology/rank_classes.hpp"

namespace orrery::core {

// A chunk as all classes see it; its number is its place in the table.
struct ChunkInfo {
  const ChunkPlan* plan;
  int priority;
  std::uint32_t collective;
  std::uint32_t classes;  // number of those that take part
};

// Interface through which a flow reads and drives the engine around it.
class ChunkHost {
 public:
  virtual const ChunkInfo& chunk(std::uint32_t chunk) const = 0;
  virtual void entered(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) = 0;
  // A group starts a phase together. This is called only in flows by groups, within one instant in the order
  // of the chunks. Returns true if ChunkScheduler::group_ended() will be called with the same span. Otherwise
  // start() has to follow for each member.
  [[nodiscard]] virtual bool group_starts(std::span<const ClassId> /*classes*/, std::uint32_t /*chunk*/,
                                          std::uint32_t /*phase*/) {
    return false;
  }
  // Runs the phase on the rank that is simulated for this class; phase_ended() is called back later, never
  // before start() returns.
  virtual void start(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) = 0;
  virtual void left(ClassId of_class, std::uint32_t chunk, std::uint32_t phase) = 0;
  virtual void finished(ClassId of_class, std::uint32_t chunk) = 0;
  // Called instead of finished() for a group whose phase ended at once. The span stays valid.
  virtual void group_finished(std::span<const ClassId> classes, std::uint32_t chunk) {
    for (const ClassId of_class : classes) finished(of_class, chunk);
  }
  // Asks for a call of ChunkScheduler::group_arrives() at that time, which may be the present. Only flows by
  // groups use this.
  virtual void tell_when_group_arrives(Stamp /*at*/, std::uint32_t /*chunk*/, std::uint32_t /*group*/) {}
  // Asks for a call of ChunkScheduler::instant_ends(), once, when nothing else is left to happen in this
  // instant.
  virtual void tell_when_instant_ends() = 0;

 protected:
  ~ChunkHost() = default;
};

// A phase of a chunk on a group of classes that has not ended everywhere. It is listed for a stalled run.
struct WaitingPhase {
  enum class State : std::uint8_t {
    running,  // `of_class` has started it and not ended
    absent,   // `of_class` has not reached it
    queued    // the chunk waits for its turn; `of_class` is one of the group
  };
  State state = State::running;
  std::uint32_t chunk = 0, phase = 0;
  ClassId of_class;  // the lowest one of which this can be said
  // Number of classes of the group: all of them, and those of which it cannot be said.
  std::uint32_t members = 0, ready = 0;

  bool operator==(const WaitingPhase&) const = default;
};

class ChunkScheduler {
 public:
  virtual ~ChunkScheduler() = default;

  // A class brings a chunk into being. Chunks are created in the order of their numbers. `at` is the present;
  // in flows by groups it may lie ahead of it.
  virtual void create(ClassId of_class, std::uint32_t chunk, Stamp at) = 0;
  // A class has issued a collective and created all its chunks.
  virtual void issued(ClassId of_class) = 0;
  virtual void phase_ended(ClassId of_class, std::uint32_t chunk) = 0;
  // All members of a group have ended a phase in this instant.
  virtual void group_ended(std::span<const ClassId> classes, std::uint32_t chunk) {
    for (const ClassId of_class : classes) phase_ended(of_class, chunk);
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
std::unique_ptr<ChunkScheduler> make_chunk_flow(PhaseBarrier barrier, ChunkHost& host,
                                                const SystemConfig& system, int dimensions,
                                                const RankClasses& classes, bool in_step);

}  // namespace orrery::core
