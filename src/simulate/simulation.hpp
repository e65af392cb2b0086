// One run: a graph on a machine.
#pragma once

#include <functional>
#include <vector>

#include "base/dialect.hpp"
#include "collective/system_config.hpp"
#include "simulate/recording.hpp"
#include "topology/logical_dimension.hpp"
#include "workload/execution_graph.hpp"

namespace orrery {

struct Machine {
  Topology topology;
  std::vector<LogicalDimension> dimensions;  // of `topology`
  SystemConfig system;
  Dialect dialect;
};

// Throws InputError when simulating every rank would need more memory than is sensible.
void check_size(const ExecutionGraph& graph, const Machine& machine);

// Called now and then while a simulation runs: the share of the work that is done, from 0 to 1, and the
// simulated time.
using ProgressListener = std::function<void(double share, Time now)>;

// Runs `graph` on every rank of `machine`, message by message, until nothing is left to do. Uses nothing
// outside its arguments: simulations may run side by side. Throws InputError when an algorithm cannot run
// what the graph asks for, StallError when ranks wait for ever.
Recording simulate(const ExecutionGraph& graph, const Machine& machine,
                   const ProgressListener& progress = {});

}  // namespace orrery
