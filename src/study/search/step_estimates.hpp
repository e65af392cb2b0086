// Estimates what a training step takes on a network, without simulating it.
//
// A step is the recurrence of passes and exchanges that the search on a platform uses (step_clock.hpp), in
// which each exchange takes what it takes by itself on the network. An estimate leaves out what exchanges of
// different kinds do to one another. Where these do not meet on links, it is the time of the run.
#pragma once

#include <memory>

#include "base/units/seconds.hpp"
#include "study/run/run_spec.hpp"
#include "study/search/network_times.hpp"
#include "workload/training/layout_space.hpp"
#include "workload/training/stages/block_costs.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Several threads may ask. The functions below cost more in their order, and none should return less than the
// one before it.
class StepEstimates {
 public:
  // `base` holds everything but the layout. Without a network, the platform's library says what exchanges
  // take, and estimates are the times of runs.
  StepEstimates(const RunSpec& run, const TrainingSetup& base);

  // Returns the bytes that the fullest device needs.
  double memory(const TrainingLayout& layout) const;
  // Returns a lower bound of a step, in which at least messages and exchanges of gradients take no time.
  Seconds lower_bound(const TrainingLayout& layout) const;
  // The following two throw InputError where the network cannot carry the exchanges of the layout.
  //
  // Exchanges meet nothing on links.
  Seconds by_closed_forms(const TrainingLayout& layout) const;
  // Does the same, but for exchanges of which with_contention() has found out what they do to one another. It
  // must not be called while that is under way, so that it returns the same on any number of threads.
  Seconds by_what_is_known(const TrainingLayout& layout) const;
  // An exchange meets its like: those of the same kind on other ranks, at the same time.
  Seconds with_contention(const TrainingLayout& layout) const;

 private:
  // Trainings of different layouts share the costs of blocks.
  struct Level {
    TrainingSetup setup;
    std::unique_ptr<BlockCosts> blocks = std::make_unique<BlockCosts>();
  };
  Seconds step_at(const Level& level, const TrainingLayout& layout) const;

  Level lower_bound_, by_closed_forms_, with_contention_;
  std::shared_ptr<const TransferTimes> known_;  // null: all is known by closed forms
};

}  // namespace orrery::core
