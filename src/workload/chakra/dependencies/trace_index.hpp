// The dependencies between the nodes of a trace, whether or not it can be run.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "program/graph_edges.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

// Nodes are in ascending order of their ids, each id once, and are named by their position in this order.
// Nodes of the same id are merged: their parents add up, and the last one in the file supplies the rest.
struct TraceIndex {
  struct Missing {
    std::uint64_t node, parent;  // ids

    auto operator<=>(const Missing&) const = default;
  };

  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> node;  // which of Trace::nodes supplies the rest; none: the node at the position
  GraphEdges parents, children;     // each once, ascending
  std::vector<Missing> missing;     // parents that the trace does not hold; each once, by node
  std::vector<std::uint64_t> repeated_ids;  // each once, ascending

  std::uint32_t size() const { return static_cast<std::uint32_t>(ids.size()); }
  std::uint32_t node_at(std::uint32_t position) const { return node.empty() ? position : node[position]; }
};

// Makes the index. Missing parents are left out of the edges. The trace loses its dependencies on the way,
// which takes less memory.
TraceIndex take_index(Trace& trace);

// Returns positions, where parents come before their children. It leaves out nodes that are on a cycle or
// wait for one.
std::vector<std::uint32_t> in_order_of_dependencies(const TraceIndex& index);

// Returns one cycle for every group of nodes that all wait for each other, as positions. Each node waits for
// the next one, and the last node for the first, which has the lowest position. The shortest cycle comes
// first. The cycle of a group is its shortest one, unless the group is very large.
std::vector<std::vector<std::uint32_t>> find_cycles(const TraceIndex& index);

}  // namespace orrery::core::chakra
