// orrery compute roofline: what matrix products cost on a device.
#pragma once

#include "cli/commands.hpp"

namespace orrery {

Command add_compute_roofline(CLI::App& command);

}  // namespace orrery
