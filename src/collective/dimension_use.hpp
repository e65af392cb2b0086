// Says what a rank does with a dimension of the topology in its collectives.
#pragma once

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

struct DimensionUse {
  Bytes payload;  // bytes that it sends over the dimension
  Time busy;      // time in which at least one of its chunks is being served there
};

}  // namespace orrery::core
