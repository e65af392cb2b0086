// Reads how a workload exchanges its gradients (the keys `gradient-buckets`, `ddp`, `host` and
// `parameter-server`), and its `pipeline`.
#pragma once

#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

PipelineOptions read_yaml_pipeline(const InputNode& node);
// Returns the keys that may stand below `pipeline`: ".micro-batches" and so on.
std::vector<KeyPath> yaml_pipeline_keys();

// Reads the exchange of gradients into `table`, which must already hold everything else. Throws InputError.
void read_yaml_data_parallel(const InputNode& workload, LayerTable& table);
std::vector<std::string_view> yaml_data_parallel_words();
// Returns the keys of that exchange in a workload: ".gradient-buckets", ".gradient-buckets.size" and so on.
std::vector<KeyPath> yaml_data_parallel_keys();

}  // namespace orrery::core
