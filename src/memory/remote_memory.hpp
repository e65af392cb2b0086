// Memory beyond the NPU's own, behind servers that take one request at a time
// (docs/models/execution-traces.md, Remote memory).
#pragma once

#include <cmath>
#include <cstdint>

#include "base/units/bytes.hpp"

namespace orrery::core {

struct RemoteMemory {
  enum class Kind { none, per_npu, per_node, pool } kind = Kind::none;
  std::int64_t latency_ns = 0;
  std::int64_t bytes_per_ns = 0;
  int npus_per_node = 1;

  // Returns how long a server is busy with a request, in nanoseconds. Absurd sizes give more than a Time
  // holds.
  double service_ns(Bytes bytes) const {
    return static_cast<double>(latency_ns) +
           std::trunc(bytes.as_double() / static_cast<double>(bytes_per_ns));
  }
};

}  // namespace orrery::core
