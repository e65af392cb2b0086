// Changes a node of a packed list, which has no place for another one: makes the list again.
#pragma once

#include <cstddef>

#include "workload/chakra/files/node_list.hpp"

namespace orrery::core::test {

// Calls `change(node)` with what is to stand at `index`.
template <class Change>
void change_node(chakra::NodeList& nodes, std::size_t index, const Change& change) {
  chakra::NodeList out;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    chakra::Node node = nodes[i];
    if (i == index) change(node);
    out.push_back(node, nodes.name(i));
  }
  nodes = out;
}

}  // namespace orrery::core::test
