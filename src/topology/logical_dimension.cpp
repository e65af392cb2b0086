#include "topology/logical_dimension.hpp"

namespace orrery::core {

std::vector<LogicalDimension> logical_dimensions(const Topology& topology) {
  return logical_dimensions(topology, DimensionSplit{-1, 1});
}

std::vector<LogicalDimension> logical_dimensions(const Topology& topology, const DimensionSplit& split) {
  std::vector<LogicalDimension> result;
  int stride = 1;
  auto append = [&](int size, int physical) {
    result.push_back({stride, size, physical});
    stride *= size;
  };
  for (int d = 0; d < static_cast<int>(topology.dimensions.size()); ++d) {
    int size = topology.dimensions[d].size;
    if (d == split.physical) {
      append(split.first, d);
      append(size / split.first, d);
    } else {
      append(size, d);
    }
  }
  return result;
}

NpusAlong npus_along(const std::vector<LogicalDimension>& dimensions, std::uint32_t chosen, int npu) {
  NpusAlong met{npu, 1};
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if ((chosen >> d & 1) == 0) continue;
    met.first = dimensions[d].base(met.first);
    met.count *= static_cast<std::uint64_t>(dimensions[d].size);
  }
  return met;
}

}  // namespace orrery::core
