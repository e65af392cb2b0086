// Plans runs of programs whose ranks start each operation as soon as it is ready.
#pragma once

#include "simulate/run/run_plan.hpp"

namespace orrery::core {

// Throws what plan_simulation() throws.
SimulationPlan plan_dataflow_run(const Program& program, const Machine& machine, bool fold_wanted);

}  // namespace orrery::core
