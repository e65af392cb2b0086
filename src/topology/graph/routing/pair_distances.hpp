// Finds how far the nodes on the shortest routes between two nodes are from the second one. The search goes
// on from both ends.
//
// A search that meets in the middle looks at few nodes of a large network. Where many routes lead to one
// destination, a table of all distances to it is cheaper (routes.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

class PairDistances {
 public:
  static constexpr std::uint16_t unknown = 0xffff;

  // Keeps a reference to the graph, which must not change.
  explicit PairDistances(const NetworkGraph& graph) : graph_(graph) {}

  // Returns the number of links that remain, by node: for all nodes on ways with the fewest links, and for
  // some others. It is `unknown` elsewhere, and for the source where no route leads on. Only nodes that
  // forward lie between the ends, and no route uses a link that is broken (by link; empty: none is). The
  // result is valid until the next call.
  const std::vector<std::uint16_t>& between(NodeId source, NodeId destination,
                                            const std::vector<bool>& broken);

 private:
  struct Side {
    std::vector<std::uint16_t> distance;  // by node
    std::vector<NodeId> reached;          // in the order of their distances
    std::size_t level_begins = 0;         // in `reached`, the nodes that are farthest away
    void start(std::size_t nodes, NodeId node);
    std::size_t frontier() const { return reached.size() - level_begins; }
  };

  // Goes one link farther. Returns whether the two sides meet.
  bool grow(bool onward, const std::vector<bool>& broken);
  // Sets the distances of the nodes that lie on shortest routes between the source and the place where the
  // sides meet.
  void trace_back(const std::vector<bool>& broken);

  const NetworkGraph& graph_;
  NodeId source_, destination_;
  Side onward_, back_;  // sides of the source and of the destination
  std::vector<NodeId> meeting_;
};

}  // namespace orrery::core
