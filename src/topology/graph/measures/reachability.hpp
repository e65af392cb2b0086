// Finds the NPUs of a network that cannot send to certain others.
#pragma once

#include <string>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

struct NetworkCut {
  std::vector<NodeId> from;  // NPUs, none of which reaches any of `to`
  std::vector<NodeId> to;    // NPUs that these do not reach
};

// Returns one cut for all NPUs that cannot reach the same others. It is empty when every NPU reaches every
// other one. Once `most` such NPUs are found, no more are looked for.
std::vector<NetworkCut> find_cuts(const NetworkGraph& graph, std::size_t most = 1000);

// Returns "npu0 to npu3, npu9", cut when long.
std::string names_of_nodes(const NetworkGraph& graph, const std::vector<NodeId>& nodes);

}  // namespace orrery::core
