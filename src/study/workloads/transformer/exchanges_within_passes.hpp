// The collectives within layers of passes that are one node each: what they take by themselves, and what they
// send, which nobody simulates in the step.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/program.hpp"
#include "simulate/run/collective_time.hpp"
#include "workload/training/stages/training_notes.hpp"
#include "workload/training/training_communicators.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

class ExchangesWithinPasses {
 public:
  // The setup's layers communicate in whole collectives, not in blocks.
  ExchangesWithinPasses(const Machine& machine, const TrainingSetup& setup);

  // Returns whether in every collective all members end at the same time, so that they go on together.
  bool end_together();
  // Returns what collectives take. The function shares what it needs with this object.
  ExchangeTime time() const;
  // Returns what is known about them where they are nodes of their own, and only some ranks (by number) carry
  // them out without meeting other messages.
  KnownTimes on_some(std::vector<bool> ranks) const;
  // Adds what they send in a step of these passes to what was recorded of it. The notes name the passes, and
  // the setup has their times.
  void count_in(const TrainingSetup& setup, const Program& program, const TrainingNotes& notes,
                Recording& recording) const;

 private:
  // Collectives by number, and how often a rank carries out each in a step.
  using Counts = std::vector<std::pair<CollectiveRequest, std::uint64_t>>;
  // By collective and dimension of the topology.
  using Served = std::vector<std::pair<CollectiveRequest, std::vector<std::vector<Interval>>>>;

  struct Stage {
    const TrainingSetup& setup;
    int number;
    const ExecutionGraph& graph;
    const StageNotes& notes;
  };

  // Returns when collectives within layers of a stage begin.
  std::vector<std::pair<Time, CollectiveRequest>> begun(const Stage& stage,
                                                        const std::vector<Interval>& operations) const;
  // Returns by how much longer each dimension is busy in a stage than with its other collectives. `served`
  // says when a collective by itself serves each dimension.
  std::vector<Time> busy_besides(const Stage& stage, const std::vector<Interval>& operations,
                                 const PhaseRecords& records, const Served& served) const;

  std::shared_ptr<CollectiveTimes> times_;
  TrainingCommunicators communicators_;
  std::vector<Counts> counts_;              // by stage
  std::vector<std::vector<RankId>> ranks_;  // by stage
};

}  // namespace orrery::core
