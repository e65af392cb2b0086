// In the native flow a phase starts on a group when all its members have reached it; other groups do not
// matter (docs/models/chunk-flow.md, Flow by groups).
//
// A group's members share one queue per dimension, so their orders cannot differ, and a chunk that holds a
// slot has all its members at work. So the flow cannot deadlock. A slot is free again when the last member
// has ended. Each member goes on to its own next group as soon as it has ended itself.
//
// A class whose group has no part in a phase goes past it.
//
// An instant counts as a whole: chunks whose phases end in it move on when nothing else is left to happen in
// it, in the order of the chunks' numbers, and queues choose which chunk to start after that. So no result
// depends on the order of ranks.
#pragma once

#include <map>
#include <tuple>

#include "base/units/rank_id.hpp"
#include "collective/flow/chunk_queue.hpp"
#include "collective/flow/chunk_scheduler.hpp"
#include "topology/rank_classes.hpp"

namespace orrery::core {

class GroupBarrier final : public ChunkScheduler {
 public:
  GroupBarrier(ChunkHost& host, const QueueRules& rules, const RankClasses& classes);

  void create(ClassId of_class, std::uint32_t chunk, Stamp at) override;
  void issued(ClassId) override {}
  void group_arrives(std::uint32_t chunk, std::uint32_t group) override;
  void phase_ended(ClassId of_class, std::uint32_t chunk) override;
  void group_ended(std::span<const ClassId> classes, std::uint32_t chunk) override;
  void instant_ends() override;
  std::vector<WaitingPhase> waiting() const override;

 private:
  struct GroupPhase {  // number of classes of one group in one phase of a chunk, by state
    std::uint32_t arrived = 0;
    std::uint32_t ended = 0;
  };
  struct Phase {
    const ClassGroups* groups;
    std::vector<GroupPhase> of_group;
  };
  struct Chunk {
    std::vector<Phase> phases;
    std::vector<Stamp> created_at;    // by group of the first phase: when its last member created the chunk
    std::vector<std::uint8_t> phase;  // by class; a chunk has at most 2 * max_dimensions
    std::vector<bool> created;        // by class
    std::uint32_t finished = 0;       // number of classes that have finished
  };
  struct Arrived {
    std::uint32_t chunk, group;
    auto operator<=>(const Arrived&) const = default;
  };
  struct Queue {
    ChunkQueue items;
    bool touched = false;  // something has changed since it last looked for a chunk to start
  };
  struct Touched {
    Queue* queue;
    const ClassGroups* groups;
    std::uint32_t group;
  };
  struct Chosen {  // a phase that is to start
    std::uint32_t chunk, phase;
    ClassId first_member;
    std::span<const ClassId> members;
  };
  struct Ended {  // a class that has ended, or a group with its first class
    std::uint32_t chunk;
    ClassId of_class;
    std::span<const ClassId> group;
    bool operator<(const Ended& other) const {
      return std::pair(chunk, of_class) < std::pair(other.chunk, other.of_class);
    }
  };
  using DimensionKey = std::tuple<int, int>;        // stride, size
  using QueueKey = std::tuple<int, int, int, int>;  // dimension, queue, stride, size

  const ClassGroups& groups_of(const PhasePlan& phase);
  void open(std::uint32_t chunk);
  void take_arrived();
  void leave(ClassId of_class, std::uint32_t chunk);
  void leave_together(std::span<const ClassId> classes, std::uint32_t chunk);
  void arrive(ClassId of_class, std::uint32_t chunk, std::uint32_t phase);
  // Returns the first phase from `phase` on in which a class takes part. If there is none, returns the number
  // of phases.
  std::uint32_t next_phase(ClassId of_class, const ChunkPlan& plan, std::uint32_t phase) const;
  void enqueue(std::uint32_t chunk, std::uint32_t phase, std::uint32_t group);
  void finish(std::uint32_t chunk, std::size_t members);
  void free_slot(std::uint32_t chunk, const PhasePlan& phase, std::uint32_t group);
  Queue& queue_of(const PhasePlan& phase, std::uint32_t group);
  WaitingPhase waiting_group(std::uint32_t chunk, std::uint32_t phase, const ClassGroups& groups,
                             std::uint32_t group) const;
  void touch(const PhasePlan& phase, std::uint32_t group);
  void await_end_of_instant();
  void choose_waiting(const Touched& touched);
  void start_chosen();

  ChunkHost& host_;
  QueueRules rules_;
  const RankClasses& classes_;
  std::map<DimensionKey, ClassGroups> groups_;
  std::map<QueueKey, std::vector<Queue>> queues_;  // per group
  std::vector<Chunk> chunks_;
  std::vector<Arrived> arrived_;  // arrivals at first phases in the present instant
  std::vector<Ended> ended_;      // ends in the present instant
  std::vector<Touched> touched_;  // queues touched in the present instant
  std::vector<Chosen> chosen_;    // phases to start in the present instant
  bool awaits_end_of_instant_ = false;
};

}  // namespace orrery::core
