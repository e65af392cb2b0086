// Finds the switches that add up what the members of a group send, and send the sum to all of them: trees
// whose leaves are the members. In a dimension of switches that is the group's switch. On a graph it is every
// switch that is joined to all members and reduces, as NVLink switches are, or else one tree of switches that
// reduce between the members' NICs (Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP)",
// COMHPC 2016).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "topology/logical_dimension.hpp"

namespace orrery::core {

struct ReductionTree {
  double share = 1;                      // of the bytes
  std::vector<std::uint32_t> of_member;  // by position: number of the switch that the member sends to
  std::vector<std::uint32_t> above;      // by switch: the one above it. Switch 0 is the top, above itself

  bool operator==(const ReductionTree&) const = default;
};

// All groups of a dimension have equal trees of different switches.
struct ReductionTrees {
  std::vector<ReductionTree> trees;
  LogicalDimension group;
  // The switches of each group, of all trees one after the other. On a graph they are nodes, else devices
  // (DimensionSwitches).
  std::vector<int> devices;

  // Switches are numbered through all trees. Returns where a switch of the group of `npu` is.
  int device(int npu, std::uint32_t number) const {
    return devices[static_cast<std::size_t>(group.group(npu)) * switches() + number];
  }
  std::size_t switches() const {
    std::size_t sum = 0;
    for (const ReductionTree& tree : trees) sum += tree.above.size();
    return sum;
  }
};

// Returns the trees of all groups of a dimension, or why there are none, in words.
std::variant<ReductionTrees, std::string> find_reduction_trees(const Topology& topology,
                                                               const LogicalDimension& group);

}  // namespace orrery::core
