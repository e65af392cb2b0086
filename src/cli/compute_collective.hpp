// orrery compute collective: what collectives cost in a library on a machine of GPUs in nodes.
#pragma once

#include "cli/commands.hpp"

namespace orrery {

Command add_compute_collective(CLI::App& command);

}  // namespace orrery
