// One run: a program on a machine.
#pragma once

#include "base/progress.hpp"
#include "program/program.hpp"
#include "simulate/collective_survey.hpp"
#include "simulate/folding.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"
#include "simulate/slots/slot_folding.hpp"

namespace orrery {

// The way in which a program is going to be simulated on a machine.
struct SimulationPlan {
  CollectiveSurvey survey;
  Folding folding;
  SlotFolding slots = {};  // in their place where ranks issue in slots
};

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
Recording simulate(const Program& program, const Machine& machine, const SimulationPlan& plan,
                   const ProgressListener& progress = {});

}  // namespace orrery
