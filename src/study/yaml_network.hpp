// The network of an experiment file: a list of dimensions, innermost first.
//
//   - { name: nvlink, topology: switch, size: 16, links: 6, bandwidth: 25 GiB/s, latency: 500 ns }
//
// Needed: topology, size, bandwidth (of one link, one direction), latency (per hop). Links per NPU default to
// 2 in a ring, one per peer when fully connected, 1 to a switch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/keys.hpp"
#include "network/network_models.hpp"
#include "topology/topology.hpp"

namespace orrery {

// Throws InputError; the topology returned has passed check_topology().
Topology read_yaml_network(const InputNode& network, Warnings& warnings);

// Reads the seed of the choice between ways through a graph that are equally short. Throws InputError, also
// where there is no such choice, or it does not matter to the model.
std::uint64_t read_route_seed(const InputNode& seed, const Topology& topology, NetworkModel model);

// Returns the keys that may stand below `network`: "[].name" and so on.
std::vector<KeyPath> yaml_network_keys();

}  // namespace orrery
