// One run: a program on a machine.
#pragma once

#include "simulate/run_plan.hpp"

namespace orrery {

// Throws InputError when the machine is not one that the program can run on, when an algorithm cannot run
// what the program asks for, or when simulating it would need more memory than is sensible. `fold_wanted`:
// equal ranks into one, and phases into their timelines, where that is exact.
SimulationPlan plan_simulation(const Program& program, const Machine& machine, bool fold_wanted = true);

// Runs the program until nothing is left to do; the plan is that of the two. Uses nothing outside its
// arguments: simulations may run side by side. Throws InputError when times grow beyond what the clock holds,
// StallError when ranks wait for ever.
//
// In the analytical network a folded or unfolded run has collectives take what they take alone, and messages
// share links with each other, but not with collectives. On a network of links all share all.
Recording simulate(const Program& program, const Machine& machine, SimulationPlan plan,
                   const ProgressListener& progress = {});

}  // namespace orrery
