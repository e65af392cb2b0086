// The dimensions that collectives see: those of the topology, one of them possibly split in two, or all NPUs
// at once.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace orrery {

// NPUs base + y * stride, y = 0 ... size-1, form one group; an NPU's y is its position.
struct LogicalDimension {
  int stride = 1;
  int size = 1;
  // The topology's dimension it lies in; -1 when it crosses several.
  int physical = -1;

  int position(int npu) const { return npu / stride % size; }
  int base(int npu) const { return npu - position(npu) * stride; }
  // Groups are numbered 0 ... npus/size - 1.
  int group(int npu) const { return npu / (stride * size) * stride + npu % stride; }

  auto operator<=>(const LogicalDimension&) const = default;
};

// Cut dimension `physical` into an inner part of `first` NPUs and an outer part of the rest.
struct DimensionSplit {
  int physical;
  int first;
};

std::vector<LogicalDimension> logical_dimensions(const Topology& topology);
std::vector<LogicalDimension> logical_dimensions(const Topology& topology, const DimensionSplit& split);

// The NPUs that one meets along some dimensions: the lowest, and how many.
struct NpusAlong {
  int first;
  std::uint64_t count;
};
// Bit d of `chosen`: dimension d is one of them.
NpusAlong npus_along(const std::vector<LogicalDimension>& dimensions, std::uint32_t chosen, int npu);

}  // namespace orrery
