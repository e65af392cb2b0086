// Reads the network of an experiment file: a list of dimensions, innermost first.
//
//   - { name: nvlink, topology: switch, size: 16, links: 6, bandwidth: 25 GiB/s, latency: 500 ns }
//
// Each dimension needs topology, size, bandwidth (of one link in one direction) and latency (per hop). Links
// per NPU default to 2 in a ring, one per peer when fully connected, and 1 to a switch.
#pragma once

#include <vector>

#include "base/input/keys.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Throws InputError. The topology that is returned has passed check_topology().
Topology read_yaml_network(const InputNode& network, Warnings& warnings);

// Returns the keys that may stand below `network`: "[].name" and so on.
std::vector<KeyPath> yaml_network_keys();

}  // namespace orrery::core
