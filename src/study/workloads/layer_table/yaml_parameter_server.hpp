// Reads the key `parameter-server` of a workload.
#pragma once

#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Reads it into `table`, which must already hold everything else. Throws InputError.
void read_yaml_parameter_server(const InputNode& workload, LayerTable& table);
std::vector<std::string_view> yaml_parameter_server_words();
// Returns the keys of it: ".parameter-server", ".parameter-server.servers" and so on.
std::vector<KeyPath> yaml_parameter_server_keys();

}  // namespace orrery::core
