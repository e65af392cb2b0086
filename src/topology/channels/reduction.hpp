// Finds switches that add up what comes from below (NetworkNode::reduces): those of a machine, as for NVLS,
// and trees of them in the fabric, as for SHARP (Graham et al., "Scalable Hierarchical Aggregation Protocol
// (SHArP)", COMHPC 2016).
#pragma once

#include <vector>

#include "topology/channels/host_graph.hpp"

namespace orrery::core {

// A switch to which NVLinks of all GPUs lead, and the switch's share of their bandwidth.
struct ReducingSwitch {
  NodeId node;
  double share = 0;
};
// Returns such switches of a machine. There are none where one switch of its GPUs does not reduce.
std::vector<ReducingSwitch> reducing_switches(const NetworkGraph& graph, const Host& host);

struct ReductionEdge {
  NodeId below, above;
};
// Returns the edges of a tree of switches from these ports up, where each edge comes after those above it.
// Among roots that are equally near to all ports, different numbers take different ones. The list is empty if
// there is no such tree.
std::vector<ReductionEdge> reduction_tree(const NetworkGraph& graph, const std::vector<NodeId>& ports,
                                          std::size_t number);

}  // namespace orrery::core
