// Carries out one run of a sweep.
#pragma once

#include <string>

#include "study/sweep/sweep.hpp"

namespace orrery::core {

// Returns what came of a run, be it that it failed. Throws Stopped where the caller asked to stop, and
// InputError where its own reports cannot be written.
EndedPoint carry_out_point(const SweptRuns& runs, PlacedPoint placed, StudyInputs& inputs,
                           const FileLoader& load, const SweepWishes& wishes);

}  // namespace orrery::core
