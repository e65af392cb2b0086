// Checks a topology for what every frontend has to refuse.
#pragma once

#include <functional>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

inline constexpr int max_npus = 1 << 27;     // of a machine
inline constexpr int max_links = 1'000'000;  // of an NPU into a dimension

enum class DimensionPart {
  block,
  size,
  links,
  link_bandwidth,
  link_latency,
  nic_latency,
  router_latency,
  hbm_latency,
  hbm_bandwidth,
  hbm_scale,
  packaging
};

// Says where the user wrote a part of a dimension.
using WhereInTopology = std::function<SourceLocation(std::size_t dimension, DimensionPart part)>;

// Throws InputError when the topology cannot be simulated.
void check_topology(const Topology& topology, const WhereInTopology& where, Warnings& warnings);
// Does the same for inputs that keep one place per dimension.
void check_topology(const Topology& topology, const std::vector<SourceLocation>& where_per_dimension,
                    Warnings& warnings);

}  // namespace orrery::core
