// Edges between the nodes of a graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery::core {

// Has a list for each node. `first` has one entry more than there are nodes.
struct GraphEdges {
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> ids;

  std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const std::uint32_t> of(std::uint32_t id) const {
    return std::span(ids).subspan(first[id], first[id + 1] - first[id]);
  }
  // Ends the list of the next node.
  void end_list() { first.push_back(static_cast<std::uint32_t>(ids.size())); }
  bool operator==(const GraphEdges&) const = default;
};

// Returns the same edges in the opposite direction, in order of the ids.
GraphEdges reversed(const GraphEdges& edges);

}  // namespace orrery::core
