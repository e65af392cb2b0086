#include "study/search/step_estimates.hpp"

#include <algorithm>
#include <utility>

#include "network/network_models.hpp"
#include "study/run/run.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"
#include "workload/training/step/step_bound.hpp"
#include "workload/training/step/step_clock.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery::core {

namespace {

// Links that change would make what an exchange takes depend on when it begins.
Machine lasting_machine(const RunSpec& run) {
  Warnings known;
  Machine machine = machine_of(run, known);
  machine.topology.link_changes = nullptr;
  return machine;
}

Machine with_model(Machine machine, NetworkModel model) {
  machine.network.model = model;
  return machine;
}

// Packets of large messages take long to simulate, and estimates need only what messages do to one another.
NetworkModel model_of_estimates(NetworkModel model) {
  return model->detail > fluid_model.detail ? &fluid_model : model;
}

}  // namespace

StepEstimates::StepEstimates(const RunSpec& run, const TrainingSetup& base)
    : lower_bound_{training_on_machine(base, run)},
      by_closed_forms_{lower_bound_.setup},
      with_contention_{lower_bound_.setup} {
  if (!run.has_network()) return;
  lower_bound_.setup.library.reset();
  if (run.system->library) return;
  const Machine machine = lasting_machine(run);
  const auto alone =
      std::make_shared<NetworkTimes>(with_model(machine, &analytical_model), nullptr, base.where);
  by_closed_forms_.setup.transfers = alone;
  const auto together = std::make_shared<NetworkTimes>(
      with_model(machine, model_of_estimates(machine.network.model)), alone, base.where);
  with_contention_.setup.transfers = together;
  known_ = together->as_far_as_known();
}

double StepEstimates::memory(const TrainingLayout& layout) const {
  TrainingSetup setup = lower_bound_.setup;
  take(layout, setup);
  return max_memory(setup, lower_bound_.blocks->parts(setup));
}

Seconds StepEstimates::lower_bound(const TrainingLayout& layout) const {
  TrainingSetup setup = lower_bound_.setup;
  take(layout, setup);
  return min_step_time(setup, StageCosts(setup, *lower_bound_.blocks));
}

Seconds StepEstimates::by_closed_forms(const TrainingLayout& layout) const {
  return step_at(by_closed_forms_, layout);
}

// Costs of blocks are not shared, as more may be known later.
Seconds StepEstimates::by_what_is_known(const TrainingLayout& layout) const {
  if (!known_) return by_closed_forms(layout);
  Level level{with_contention_.setup};
  level.setup.transfers = known_;
  return step_at(level, layout);
}

Seconds StepEstimates::with_contention(const TrainingLayout& layout) const {
  return step_at(with_contention_, layout);
}

Seconds StepEstimates::step_at(const Level& level, const TrainingLayout& layout) const {
  TrainingSetup setup = level.setup;
  take(layout, setup);
  return Seconds::of(training_step_end(setup, StageCosts(setup, *level.blocks)));
}

}  // namespace orrery::core
