// Reads what a workload says of its pipeline: { micro-batches: 8, schedule: 1f1b }
#pragma once

#include <string>
#include <vector>

#include "base/yaml_node.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// Throws InputError.
PipelineOptions read_yaml_pipeline(const YamlNode& node);

// Returns the keys that may stand below `pipeline`: ".micro-batches" and so on.
std::vector<std::string> yaml_pipeline_keys();

}  // namespace orrery
