// Finds out where messages may meet, but those of different phases never do.
#pragma once

#include <optional>

#include "collective/timelines/isolated_phase_simulator.hpp"
#include "program/program.hpp"
#include "simulate/collectives/collective_survey.hpp"
#include "simulate/machine.hpp"

namespace orrery {

// Returns ways for every dimension that phases are in, if no two phases ever share a link: each phase is in a
// dimension with links of its own, chunks come one at a time, all members of a group start together, and they
// are symmetric where their links do. Otherwise returns none. The machine's network model carries the
// messages of collectives.
std::optional<RoutesOfGroups> find_isolated_phases(const Program& program, const Machine& machine,
                                                   const CollectiveSurvey& survey);

}  // namespace orrery
