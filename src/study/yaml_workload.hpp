// The workload of an experiment file: a computed model, or layers written out.
//
//   { model: vgg16, peak: 46 TiFLOP/s, batch: 1 }
//   { policy: data, layers: [ { name: conv1, forward: { compute: 3429 ns }, ... } ] }
#pragma once

#include <string>
#include <vector>

#include "base/yaml_node.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// Throws InputError.
LayerTable read_yaml_workload(const YamlNode& workload);

// What may stand below `workload`: ".model", ".layers[].name" and so on.
std::vector<std::string> yaml_workload_keys();

}  // namespace orrery
