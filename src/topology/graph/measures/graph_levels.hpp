// Finds the levels of a network, which count how many hops its nodes are from the nearest NPU.
#pragma once

#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Returns the level of every node. NPUs have level 0, and nodes without a route from an NPU have -1. Messages
// may not be able to go that way, since NPUs and other nodes that forward nothing are counted, too.
std::vector<int> levels_of_nodes(const NetworkGraph& graph);

// Returns whether a node has a link to the next level.
bool leads_up(const NetworkGraph& graph, const std::vector<int>& levels, NodeId node);

// The links between a level and the next one.
struct LevelLinks {
  int level = 0;
  std::size_t nodes = 0;    // nodes of the level that have links up
  double down = 0, up = 0;  // bytes per ns into these nodes from the level below, and from these nodes up
  double oversubscription() const { return down / up; }
};

// Returns the levels from 1 on that have links up. Nodes without links up, such as the switches inside a box,
// do not count.
std::vector<LevelLinks> links_of_levels(const NetworkGraph& graph);

}  // namespace orrery::core
