// A run in which communication takes no time: what it leaves idle is no fault of the network.
#pragma once

#include "events/clock.hpp"
#include "program/program.hpp"
#include "simulate/machine.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {

// Returns when the last program ends. The program must be one that ends.
Time end_without_communication(const Program& program, const Machine& machine, const RankClasses& classes,
                               const RankParts& parts, const Clock& clock);
// The same where ranks issue in slots.
Time end_without_communication(const Program& program, const Machine& machine);

}  // namespace orrery
