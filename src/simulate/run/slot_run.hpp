// Plans runs of programs whose ranks issue operations in slots, and plan their own collectives
// (OperationIssue::slots).
#pragma once

#include "simulate/run/run_plan.hpp"

namespace orrery::core {

// Throws what plan_simulation() throws.
SimulationPlan plan_slot_run(const Program& program, const Machine& machine, bool fold_wanted);

}  // namespace orrery::core
