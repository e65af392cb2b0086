// Finds routes of least weight from a node of a network, or to it. Only nodes that forward are passed.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

enum class Weight { hops, latency };  // a link weighs one hop, or its picoseconds
enum class Direction { from, toward };

inline constexpr std::int64_t infinite_distance = std::numeric_limits<std::int64_t>::max();

class GraphSearch {
 public:
  GraphSearch(const NetworkGraph& graph, Weight weight);

  // Returns the weight of the route between `node` and every other one, or `infinite_distance`.
  const std::vector<std::int64_t>& distances(NodeId node, Direction direction = Direction::from);
  // Returns whether the route from any node to another weighs as much as the way back.
  bool is_symmetric() const { return symmetric_; }
  // Returns roughly what distances() costs, in visits to a link.
  double cost() const;

 private:
  std::int64_t weight_of(const NetworkLink& link) const {
    return weight_ == Weight::hops ? 1 : link.latency.ps();
  }
  void search_by_queue(NodeId node, Direction direction);
  void search_by_heap(NodeId node, Direction direction);
  // Calls visit(neighbour, link) for the links on which ways go on at a node.
  template <class Visit>
  void for_neighbours(NodeId at, NodeId start, Direction direction, Visit visit) const;

  const NetworkGraph& graph_;
  Weight weight_;
  bool symmetric_ = true;
  bool uniform_ = true;  // all links weigh the same
  std::vector<std::int64_t> distances_;
  std::vector<NodeId> queue_;
};

}  // namespace orrery::core
