// One run: a program on a machine.
#pragma once

#include "simulate/run/run_plan.hpp"

namespace orrery::core {

// Throws InputError when the program cannot run on the machine, when an algorithm cannot run what the program
// asks for, or when simulating it would need more memory than is sensible. With `fold_wanted`, equal ranks
// are folded into one, and phases into their timelines, where that is exact.
SimulationPlan plan_simulation(const Program& program, const Machine& machine, bool fold_wanted = true);

// Runs the program until nothing is left to do. The plan has to be that of this program and machine. Uses
// nothing outside its arguments, so simulations may run side by side. Throws InputError when times grow
// beyond what the clock holds, and StallError when ranks wait for ever.
//
// In the analytical network, collectives of a run take the time that they take alone, whether or not it is
// folded. Messages share links with each other, but not with collectives. On a network of links all of them
// share links.
Recording simulate(const Program& program, const Machine& machine, SimulationPlan plan,
                   const ProgressListener& progress = {});

}  // namespace orrery::core
