// Cuts a row of layers into consecutive chunks.
#pragma once

#include <cstddef>
#include <vector>

#include "base/time.hpp"

namespace orrery {

// A piece of the row that must not be cut.
struct LayerSegment {
  std::size_t layers = 1;
  Time compute;
};

// Layers of each of `chunks` chunks, none of which is empty, so that the one that computes longest computes
// as short as can be; of equal choices the one with the fuller first chunks. Empty when there are fewer
// segments.
std::vector<std::size_t> cut_into_chunks(const std::vector<LayerSegment>& segments, std::size_t chunks);

}  // namespace orrery
