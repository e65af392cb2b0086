// Shows a calibration on a terminal.
#pragma once

#include <string>
#include <vector>

#include "study/calibration/fitted_constants.hpp"

namespace orrery::core {

// Returns the constants and the errors before and after, for each kind of measurements.
std::string calibration_text(const std::vector<Calibration>& calibrations);

}  // namespace orrery::core
