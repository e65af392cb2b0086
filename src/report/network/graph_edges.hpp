// Finds the cables of a network as drawings show them, where cables side by side are one edge.
#pragma once

#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Cables with the same ends and properties.
struct GraphEdge {
  LinkId link;  // the first of these links
  bool both_ways = false;
  int cables = 0;
};

// Returns the edges in the order of their first links.
std::vector<GraphEdge> edges_of(const NetworkGraph& graph);

}  // namespace orrery::core
