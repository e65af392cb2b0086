// Says on which level of a network a link lies, for reports that tell links of a box from those above it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/graph/network_graph.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

class LinkLevels {
 public:
  // Keeps a reference to the topology, which has a graph.
  explicit LinkLevels(const Topology& topology);

  // Returns between which nodes the link leads, such as "npu-nvswitch" or "leaf-spine". The nodes nearer to
  // NPUs come first, so both directions of a cable have one name. Links of a grid, all of which join the same
  // nodes, are called after their dimension.
  std::string name_of(LinkId id) const;

 private:
  using Kind = std::pair<int, NodeKind>;  // hops from the nearest NPU, and what the node is

  Kind kind_of(NodeId node) const { return {levels_[node.index()], graph_.node(node).kind}; }
  void name_kinds();
  std::string name_in_grid(int dimension) const;

  const Topology& topology_;
  const NetworkGraph& graph_;
  std::vector<int> levels_;            // by node
  std::map<Kind, std::string> names_;  // what nodes of a kind are called
  std::size_t grid_dimensions_ = 0;
};

}  // namespace orrery::core
