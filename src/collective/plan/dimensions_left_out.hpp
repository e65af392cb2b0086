// Warns of collectives that leave out dimensions of the network.
#pragma once

#include <cstddef>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/plan/system_config.hpp"

namespace orrery::core {

// Warns of each kind of collective whose list names fewer algorithms than there are dimensions.
void warn_of_dimensions_left_out(const SystemConfig& config, std::size_t dimensions, Warnings& warnings);

}  // namespace orrery::core
