// orrery compute: how long operators take on a device, or collectives in a library. Each kind of device is a
// command within it, in a file of its own, and a line in compute_command.cpp.
#pragma once

#include "cli/commands.hpp"

namespace orrery {

Command add_compute_systolic(CLI::App& app);

}  // namespace orrery
