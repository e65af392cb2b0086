// Writes the results of a search as JSON. docs/outputs/training.md lists the keys.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "study/search/layout_search.hpp"

namespace orrery::core {

nlohmann::ordered_json layouts_to_json(const std::string& name, const TrainingSetup& base,
                                       const LayoutSearch& search);

}  // namespace orrery::core
