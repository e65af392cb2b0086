// Checks whether what a run keeps fits into the memory of the computer that simulates it.
#pragma once

#include "simulate/folding/folding.hpp"

namespace orrery::core {

// Returns whether groups of ranks go from phase to phase as one, which leaves little to keep of each rank.
bool runs_by_groups(const Machine& machine, const Folding& folding);

// Returns whether a run of so many simulated ranks needs at most 16 GiB, as far as that is known beforehand.
bool fits_into_memory(const Program& program, const Machine& machine, const CollectiveSurvey& survey,
                      double simulated_ranks, bool by_groups);

// Returns whether what each class of ranks does is to be recorded: where the machine asks for it, and where
// the ranks of a part differ, as far as memory allows, so that means over ranks are known.
bool records_classes(const Program& program, const Machine& machine, const RankClasses& classes);

// Throws InputError if it needs more.
void check_size(const Program& program, const Machine& machine, const CollectiveSurvey& survey,
                const Folding& folding);

}  // namespace orrery::core
