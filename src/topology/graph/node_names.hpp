// Names of nodes as users write them: `gpu` for all nodes of an entry, `gpu3` for one, `gpu[4-7]` for some.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/input/input_node.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Returns a name without the number that it ends in: that of "leaf3" is "leaf".
inline std::string name_without_number(const std::string& name) {
  return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

class NodeNames {
 public:
  // Adds an entry of a list of nodes, whose nodes are called `name`, or `name` and a number. Throws
  // InputError at `where` if one of these names is taken.
  void add(const std::string& name, std::vector<NodeId> nodes, bool numbered, const SourceLocation& where);

  // Returns the nodes that a name, or a list of names, stands for. Throws InputError for names that are not
  // known.
  std::vector<NodeId> nodes_of(const InputNode& names, std::string_view key) const;

 private:
  void take(const std::string& name, NodeId node, const SourceLocation& where);
  void append(const InputNode& name, std::string_view key, std::vector<NodeId>& nodes) const;
  std::vector<NodeId> slice_of(const InputNode& name, std::size_t bracket) const;

  std::map<std::string, std::vector<NodeId>, std::less<>> entries_;
  std::unordered_map<std::string, NodeId> nodes_;
};

}  // namespace orrery::core
