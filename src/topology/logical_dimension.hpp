// The dimensions that collectives see. They are those of the topology, of which one may be split in two, or a
// single one of all NPUs.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace orrery::core {

// NPUs base + y * stride, y = 0 ... size-1, form one group; an NPU's y is its position.
struct LogicalDimension {
  int stride = 1;
  int size = 1;
  // The topology's dimension in which it lies; -1 when it crosses several.
  int physical = -1;

  int position(int npu) const { return npu / stride % size; }
  int base(int npu) const { return npu - position(npu) * stride; }
  // Groups are numbered 0 ... npus/size - 1.
  int group(int npu) const { return npu / (stride * size) * stride + npu % stride; }

  auto operator<=>(const LogicalDimension&) const = default;
};

// Cuts dimension `physical` into an inner part of `first` NPUs and an outer part of the rest.
struct DimensionSplit {
  int physical;
  int first;
};

std::vector<LogicalDimension> logical_dimensions(const Topology& topology);
std::vector<LogicalDimension> logical_dimensions(const Topology& topology, const DimensionSplit& split);

// The NPUs that an NPU meets along some dimensions: the lowest of them, and their number.
struct NpusAlong {
  int first;
  std::uint64_t count;
};
// If bit d of `chosen` is set, dimension d is one of them.
NpusAlong npus_along(const std::vector<LogicalDimension>& dimensions, std::uint32_t chosen, int npu);

}  // namespace orrery::core
