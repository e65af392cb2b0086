// Shows the results of a study of sensitivity, for people and for programs. docs/outputs/critical-path.md
// lists the columns.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/table/table.hpp"
#include "study/sensitivity/sensitivity.hpp"

namespace orrery::core {

extern const Table<SensitivityRow> sensitivity_table;

// Returns what helps most, what does not help, what is not possible, and how the target can be reached.
std::string sensitivity_text(const Sensitivity& found, bool unicode);

nlohmann::ordered_json sensitivity_to_json(const std::string& experiment, const Sensitivity& found);

}  // namespace orrery::core
