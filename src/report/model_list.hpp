// The neural networks that come with the program, for `orrery list models`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workload/models/model_catalogue.hpp"

namespace orrery {

std::string model_list_text(const std::vector<ModelSummary>& models);
nlohmann::json model_list_to_json(const std::vector<ModelSummary>& models);

}  // namespace orrery
