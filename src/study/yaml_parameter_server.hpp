// Reads what a workload says of its parameter server: { servers: 1, synchronization: synchronous }
#pragma once

#include <string>
#include <vector>

#include "base/yaml_node.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// Throws InputError.
ParameterServerOptions read_yaml_parameter_server(const YamlNode& node);

// Returns the keys that may stand below `parameter-server`: ".servers" and so on.
std::vector<std::string> yaml_parameter_server_keys();

}  // namespace orrery
