// The collectives within layers of passes that are one node each: what they take by themselves, and what they
// send, which nobody simulates in the step.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "simulate/collective_time.hpp"
#include "workload/training/training_communicators.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery {

class ExchangesWithinPasses {
 public:
  // The setup's layers communicate in whole collectives, not in blocks.
  ExchangesWithinPasses(const Machine& machine, const TrainingSetup& setup);

  // Returns whether in every collective all members end at the same time, so that they go on together.
  bool end_together();
  // Returns what collectives take. The function shares what it needs with this object.
  ExchangeTime time() const;
  // Adds what they send in a step of these passes to what was recorded of it.
  void count_in(Recording& recording) const;

 private:
  // Collectives by number, and how often a rank carries out each in a step.
  using Counts = std::vector<std::pair<CollectiveRequest, std::uint64_t>>;

  std::shared_ptr<CollectiveTimes> times_;
  TrainingCommunicators communicators_;
  std::vector<Counts> counts_;                     // by stage
  std::vector<std::vector<std::uint32_t>> ranks_;  // by stage
};

}  // namespace orrery
