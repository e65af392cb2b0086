// In ASTRA-sim 1.0's flow a chunk leaves a phase when every rank of the machine has ended it
// (docs/models/chunk-flow.md, Flow with a barrier).
//
// Every simulated rank keeps its own queues. They hold the same chunks in the same order, because ranks act
// alike and the barrier moves them together. One precaution is needed: the barrier may fall into the very
// instant in which a collective is being issued, when some ranks have issued it and others have not. Then the
// move waits until all have ("issue before move"). Without this, queues would disagree and the ranks would
// wait for each other for ever. Where ranks compute at different speeds they issue at different times. There,
// a chunk also enters its first queue only when every rank has reached it.
#pragma once

#include "base/units/rank_id.hpp"
#include "collective/flow/chunk_queue.hpp"
#include "collective/flow/chunk_scheduler.hpp"

namespace orrery::core {

class MachineBarrier final : public ChunkScheduler {
 public:
  MachineBarrier(ChunkHost& host, const QueueRules& rules, int dimensions, std::uint32_t classes,
                 bool in_step = true);

  void create(ClassId of_class, std::uint32_t chunk, Stamp at) override;
  void issued(ClassId of_class) override;
  void phase_ended(ClassId of_class, std::uint32_t chunk) override;
  std::vector<WaitingPhase> waiting() const override;

 private:
  static constexpr std::int32_t before_first = -1;
  struct Chunk {
    std::uint32_t permits = 0;                // number of classes that may still move on
    std::uint32_t ended = 0;                  // number of those that have ended the present phase
    std::vector<ClassId> stopped;             // those that wait for the others, in order
    std::vector<std::int32_t> phase;          // by class
    std::uint32_t created = 0, finished = 0;  // number of classes
  };

  void advance(ClassId of_class, std::uint32_t chunk);
  void move(ClassId of_class, std::uint32_t chunk);
  void start_waiting(ClassId of_class, ChunkQueue& queue);
  WaitingPhase waiting_chunk(std::uint32_t chunk) const;
  std::size_t queue_index(ClassId of_class, const PhasePlan& phase) const;
  ChunkQueue& queue_of(ClassId of_class, const PhasePlan& phase) {
    return queues_[queue_index(of_class, phase)];
  }

  ChunkHost& host_;
  QueueRules rules_;
  std::uint32_t classes_;  // their number
  bool in_step_;           // all ranks issue each collective in the same instant
  std::size_t queues_per_class_;
  std::vector<ChunkQueue> queues_;  // class by class
  std::vector<Chunk> chunks_;       // by number

  std::vector<std::uint32_t> issued_;  // collectives, by class
  std::uint32_t max_issued_ = 0;
  std::uint32_t classes_at_most_;
  struct Held {  // a move that waits for others to issue
    ClassId of_class;
    std::uint32_t chunk;
  };
  std::vector<Held> held_;
};

}  // namespace orrery::core
