// Where messages may meet, but those of different phases never do.
#pragma once

#include <optional>

#include "collective/phase_trials.hpp"
#include "program/program.hpp"
#include "simulate/collective_survey.hpp"
#include "simulate/machine.hpp"

namespace orrery {

// Returns ways for every dimension that phases are in where no two phases ever share a link: each is in a
// dimension with links of its own, one chunk at a time, all members of a group start together, and they fare
// alike where their links do. Returns none elsewhere. The machine's network model carries the messages of
// collectives.
std::optional<WaysOfGroups> find_isolated_phases(const Program& program, const Machine& machine,
                                                 const CollectiveSurvey& survey);

}  // namespace orrery
