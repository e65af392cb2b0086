// Reads an experiment's `comparisons`: [ { run: gpus-8, baseline: gpus-1, measured: 3.36 } ]
#pragma once

#include <string>
#include <vector>

#include "base/input/keys.hpp"
#include "report/compare/run_comparisons.hpp"

namespace orrery::core {

// `runs` are the names of the experiment's runs. Throws InputError.
std::vector<RunComparison> read_yaml_comparisons(const InputNode& node, const std::vector<std::string>& runs);

// Returns the keys that may stand below `comparisons`: "[].run" and so on.
std::vector<KeyPath> yaml_comparison_keys();

}  // namespace orrery::core
