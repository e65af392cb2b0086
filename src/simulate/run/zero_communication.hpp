// Runs a program as if communication took no time. The time that is idle then is no fault of the network.
#pragma once

#include "events/clock.hpp"
#include "program/program.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"
#include "topology/rank_parts.hpp"

namespace orrery::core {

// Returns what ranks do then. The program must be one that ends. Collectives and messages end when they
// begin, and of each operation only what is no communication counts (Operation::communication).
ZeroCommunicationRun run_without_communication(const Program& program, const Machine& machine,
                                               const RankClasses& classes, const RankParts& parts,
                                               const Clock& clock);
// Does the same where ranks issue in slots.
ZeroCommunicationRun run_without_communication(const Program& program, const Machine& machine);

}  // namespace orrery::core
