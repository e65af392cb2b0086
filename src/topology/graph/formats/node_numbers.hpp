// The numbers that a topology file of ns-3 gives to nodes, where they differ from those here: hosts may stand
// behind switches, while NPUs come before all other nodes here. Then nodes are called by their numbers,
// `node7` or `switch3`, and names tell the numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// The name of an NPU in such a file, before its number.
inline constexpr std::string_view numbered_host = "node";

class NodeNumbers {
 public:
  // The numbers are those here unless all nodes are called by numbers.
  explicit NodeNumbers(const NetworkGraph& graph);

  bool differ() const { return !numbers_.empty(); }
  std::uint32_t of(NodeId id) const { return numbers_.empty() ? id.value() : numbers_[id.index()]; }
  // Returns the node that has this number. None: there is none.
  std::optional<NodeId> node(std::uint32_t number) const;

 private:
  std::size_t nodes_;
  std::vector<std::uint32_t> numbers_;  // by node
  std::map<std::uint32_t, NodeId> numbered_;
};

}  // namespace orrery::core
