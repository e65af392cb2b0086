#include "topology/dimension_switches.hpp"

namespace orrery::core {

DimensionSwitches::DimensionSwitches(const Topology& topology) : npus_(topology.npus()) {
  int devices = npus_;
  for (const LogicalDimension& groups : logical_dimensions(topology)) {
    groups_.push_back({groups, devices});
    const Block block = topology.dimensions[static_cast<std::size_t>(groups.physical)].block;
    if (block == Block::switched && groups.size > 1) devices += npus_ / groups.size;
  }
}

std::size_t DimensionSwitches::dimension_of(int device) const {
  std::size_t dimension = groups_.size() - 1;
  while (groups_[dimension].first_switch > device) --dimension;
  return dimension;
}

}  // namespace orrery::core
