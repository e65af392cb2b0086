// Writes fitted constants as the file of a software stack or of a platform.
#pragma once

#include <string>
#include <vector>

#include "base/input/input_node.hpp"
#include "study/calibration/fitted_constants.hpp"

namespace orrery::core {

// Returns the file of a stack over the one that `base` names, or whose keys it has. `folder` is that of the
// file, from which paths are written. `source` says what was measured.
std::string fitted_stack(const Calibration& calibration, const InputNode& base, const std::string& folder,
                         const std::string& source);

// Returns the file of a platform over the one that `base` names, with all of these constants.
std::string fitted_platform(const std::vector<Calibration>& calibrations, const std::string& base,
                            const std::string& folder, const std::string& source);

}  // namespace orrery::core
