// The native flow: a phase starts on a group when all its members have reached it; other groups do not
// matter.
//
// A group's members share one queue per dimension, so their orders cannot differ, and whatever holds a slot
// has all its members at work: the flow cannot deadlock. A slot is free again when the last member has ended;
// each member goes on to its own next group as soon as it has ended itself.
#pragma once

#include <map>
#include <tuple>

#include "collective/chunk_flow.hpp"
#include "collective/chunk_queue.hpp"

namespace orrery {

class GroupFlow final : public ChunkFlow {
 public:
  GroupFlow(ChunkHost& host, const QueueRules& rules, int ranks);

  void create(std::uint32_t rank, std::uint32_t chunk) override;
  void issued(std::uint32_t) override {}
  void phase_ended(std::uint32_t rank, std::uint32_t chunk) override;
  std::vector<std::string> waiting() const override;

 private:
  struct GroupPhase {  // of one chunk, phase and group
    std::uint32_t arrived = 0;
    std::uint32_t ended = 0;
  };
  struct Chunk {
    std::vector<std::vector<GroupPhase>> phases;  // [phase][group]
    std::vector<std::uint32_t> phase;             // per rank
    std::uint32_t finished = 0;
  };
  using QueueKey = std::tuple<int, int, int, int>;  // dimension, stride, size, queue

  void arrive(std::uint32_t rank, std::uint32_t chunk);
  void start_waiting(const LogicalDimension& dimension, int group, ChunkQueue& queue);
  ChunkQueue& queue_of(const PhasePlan& phase, int group);

  ChunkHost& host_;
  QueueRules rules_;
  std::uint32_t ranks_;
  std::map<QueueKey, std::vector<ChunkQueue>> queues_;  // per group
  std::vector<Chunk> chunks_;
};

}  // namespace orrery
