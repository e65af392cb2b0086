// Levels of a network: how many hops its nodes are from the nearest NPU.
#pragma once

#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery {

// Returns the level of every node, of NPUs 0; -1 for those without a way from an NPU. Messages may not go
// that way, since NPUs and others that forward nothing count as nodes, too.
std::vector<int> levels_of_nodes(const NetworkGraph& graph);

// Returns whether a node has a link to the next level.
bool leads_up(const NetworkGraph& graph, const std::vector<int>& levels, NodeId node);

// The links between a level and the next one.
struct LevelLinks {
  int level = 0;
  std::size_t nodes = 0;    // of the level, with links up
  double down = 0, up = 0;  // bytes per ns into these nodes from the level below, and from them up
  double oversubscription() const { return down / up; }
};

// Returns the levels from 1 on that have links up. What has none, such as the switches inside a box, does not
// count.
std::vector<LevelLinks> links_of_levels(const NetworkGraph& graph);

}  // namespace orrery
