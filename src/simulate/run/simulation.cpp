#include "simulate/run/simulation.hpp"

#include "collective/phase/ambiguous_event_order.hpp"
#include "simulate/run/dataflow_run.hpp"
#include "simulate/run/slot_run.hpp"

namespace orrery::core {

SimulationPlan plan_simulation(const Program& program, const Machine& machine, bool fold_wanted) {
  const auto plan = program.issues_in_slots() ? plan_slot_run : plan_dataflow_run;
  return plan(program, machine, fold_wanted);
}

Recording simulate(const Program& program, const Machine& machine, SimulationPlan plan,
                   const ProgressListener& progress) {
  while (true) {
    try {
      return plan->run(program, machine, progress);
    } catch (const AmbiguousEventOrder& doubt) {
      plan = plan->less_folded(machine, doubt.what());
    }
  }
}

}  // namespace orrery::core
