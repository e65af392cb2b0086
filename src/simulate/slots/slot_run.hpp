// A run of a program whose ranks issue operations in slots, and plan their own collectives
// (Dialect::issues_in_slots).
#pragma once

#include "simulate/recording.hpp"
#include "simulate/simulation.hpp"
#include "simulate/slots/slot_folding.hpp"

namespace orrery {

// Throws what simulate() does, and OrderMatters where `folding` is not exact.
Recording run_in_slots(const Program& program, const Machine& machine, const SlotFolding& folding,
                       const ProgressListener& progress);

}  // namespace orrery
