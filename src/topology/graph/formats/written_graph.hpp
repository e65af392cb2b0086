// Reads a network whose nodes and links a user has written down.
//
//   nodes:
//     - { name: gpu, kind: npu, count: 16 }       # gpu0 to gpu15
//     - { name: leaf, kind: switch, count: 2 }
//     - { name: spine, kind: switch }
//   links:
//     - { from: gpu, to: leaf, pattern: blocks, bandwidth: 50 GB/s, latency: 500 ns }
//     - { from: leaf, to: spine, count: 4, bandwidth: 50 GB/s, latency: 500 ns }
#pragma once

#include <vector>

#include "base/input/keys.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core {

// Reads such a map. Throws InputError.
BuiltNetwork read_written_graph(const InputNode& map);

// Returns every key that is understood.
std::vector<KeyPath> written_graph_keys();

}  // namespace orrery::core
