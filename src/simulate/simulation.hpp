// One run: a graph on a machine.
#pragma once

#include <functional>

#include "simulate/collective_survey.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"

namespace orrery {

// Called now and then while a simulation runs: the share of the work that is done, from 0 to 1, and the
// simulated time.
using ProgressListener = std::function<void(double share, Time now)>;

struct SimulationOptions {
  bool fold = true;  // equal ranks into one, and phases into their timelines, where that is exact
  ProgressListener progress;
};

// Throws InputError when simulating this would need more memory than is sensible.
void check_size(const ExecutionGraph& graph, const Machine& machine, const CollectiveSurvey& survey,
                bool fold);

// Runs `graph` on every rank of `machine` until nothing is left to do; `survey` is that of the two. Uses
// nothing outside its arguments: simulations may run side by side. Throws InputError when an algorithm cannot
// run what the graph asks for, StallError when ranks wait for ever.
Recording simulate(const ExecutionGraph& graph, const Machine& machine, const CollectiveSurvey& survey,
                   const SimulationOptions& options = {});
Recording simulate(const ExecutionGraph& graph, const Machine& machine,
                   const SimulationOptions& options = {});

}  // namespace orrery
