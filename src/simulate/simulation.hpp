// One run: a graph on a machine.
#pragma once

#include <functional>

#include "simulate/collective_survey.hpp"
#include "simulate/folding.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"

namespace orrery {

// Called now and then while a simulation runs: the share of the work that is done, from 0 to 1, and the
// simulated time.
using ProgressListener = std::function<void(double share, Time now)>;

// The way in which a graph is going to be simulated on a machine.
struct SimulationPlan {
  CollectiveSurvey survey;
  Folding folding;
};

// Throws InputError when an algorithm cannot run what the graph asks for, or when simulating it would need
// more memory than is sensible. `fold_wanted`: equal ranks into one, and phases into their timelines, where
// that is exact.
SimulationPlan plan_simulation(const ExecutionGraph& graph, const Machine& machine, bool fold_wanted = true);

// Runs `graph` on every rank of `machine` until nothing is left to do; the plan is that of the two. Uses
// nothing outside its arguments: simulations may run side by side. Throws InputError when times grow beyond
// what the clock holds, StallError when ranks wait for ever.
Recording simulate(const ExecutionGraph& graph, const Machine& machine, const SimulationPlan& plan,
                   const ProgressListener& progress = {});

}  // namespace orrery
