// orrery roofline: what matrix products cost on a device.
#pragma once

#include "cli/commands.hpp"

namespace orrery {

Command add_roofline_command(CLI::App& command);

}  // namespace orrery
