// Numbers the switches of dimensions. They are devices behind the NPUs: dimension by dimension, and within a
// dimension by the lowest NPU of their group. A message from or to a switch has its number in place of an
// NPU's.
#pragma once

#include <cstddef>
#include <vector>

#include "topology/logical_dimension.hpp"

namespace orrery::core {

class DimensionSwitches {
 public:
  explicit DimensionSwitches(const Topology& topology);

  // Returns the number of the first switch of a dimension, or of the one that would follow where it has none.
  int first(std::size_t dimension) const { return groups_[dimension].first_switch; }
  // Returns the switch to which an NPU is joined in a dimension of switches.
  int over(std::size_t dimension, int npu) const {
    return groups_[dimension].first_switch + groups_[dimension].groups.group(npu);
  }
  int npus() const { return npus_; }
  bool is_switch(int device) const { return device >= npus_; }
  // Returns the dimension of a switch.
  std::size_t dimension_of(int device) const;

 private:
  struct Part {
    LogicalDimension groups;
    int first_switch;
  };
  int npus_;
  std::vector<Part> groups_;  // by dimension
};

}  // namespace orrery::core
