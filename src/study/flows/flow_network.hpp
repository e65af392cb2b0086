// Finds the network that flows share.
#pragma once

#include <string>

#include "base/files/file_loader.hpp"
#include "base/input/input_node.hpp"
#include "network/network_setup.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

struct FlowNetwork {
  Topology topology;
  NetworkSetup setup;
};

// Reads a map with the key `network` and any of the keys by which experiments say how messages pass it, such
// as `network-model`, which is `fluid` where nobody says it, `routing` and `packets`. Files are relative to
// the folder of `file`, which stands for the whole. Throws InputError.
FlowNetwork read_flow_network(const InputNode& keys, const std::string& file, Warnings& warnings,
                              const FileLoader& load);

}  // namespace orrery::core
