// Reads ASTRA-sim 2.x's network file, which is YAML.
//
//   topology: [ Ring, Switch ]   # or FullyConnected, in short FC; innermost first
//   npus_count: [ 8, 4 ]
//   bandwidth: [ 100.0, 25.0 ]   # GiB/s per link and direction
//   latency: [ 500.0, 1000.0 ]   # ns per link
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

bool is_network_yaml_file(std::string_view text);

// Throws InputError. The topology that is returned has passed check_topology(). It has as many links per NPU
// as its blocks need, since the file does not state the number.
Topology read_network_yaml_file(std::string_view text, const std::string& file, Warnings& warnings);

// Returns every key that is understood.
std::vector<KeyPath> network_yaml_file_keys();

}  // namespace orrery::core
