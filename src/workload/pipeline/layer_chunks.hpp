// Cuts a row of layers into consecutive chunks.
#pragma once

#include <cstddef>
#include <vector>

#include "base/units/time.hpp"

namespace orrery::core {

// A piece of the row that must not be cut.
struct LayerSegment {
  std::size_t layers = 1;
  Time compute;
};

// Returns the number of layers of each of `chunks` chunks, none of which is empty. They are chosen such that
// the chunk that computes longest computes as short as possible; among equal choices the first chunks are
// fuller. The list is empty when there are fewer segments than chunks.
std::vector<std::size_t> cut_into_chunks(const std::vector<LayerSegment>& segments, std::size_t chunks);

}  // namespace orrery::core
