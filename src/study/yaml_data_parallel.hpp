// Reads how a data-parallel workload exchanges its gradients: its keys `gradient-buckets`, `host` and
// `parameter-server`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/yaml_node.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// Reads the keys into `table`, which must already hold everything else. Throws InputError.
void read_yaml_data_parallel(const YamlNode& workload, LayerTable& table);

std::vector<std::string_view> yaml_data_parallel_words();
// Returns the keys that may stand in a workload: ".gradient-buckets", ".gradient-buckets.size" and so on.
std::vector<std::string> yaml_data_parallel_keys();

}  // namespace orrery
