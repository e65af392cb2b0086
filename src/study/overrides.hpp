// --set key=value: changes to an experiment before it is read.
//
//   passes=2    systems.dgx2.chunks=8    runs.DGX2-VGG16.compute-scale=0.5    network.0.bandwidth=50 GiB/s
//
// The key is a path of keys joined by dots; an element of a list is chosen by its index, from 0, or by its
// `name`. The value is YAML.
#pragma once

#include <string>
#include <vector>

#include "base/yaml_node.hpp"

namespace orrery {

// `keys` are those of experiment_file_keys(). Throws InputError located at "--set key=value"; values set that
// way say so as their place, too.
void apply_overrides(YamlNode& document, const std::vector<std::string>& overrides,
                     const std::vector<std::string>& keys);

}  // namespace orrery
