// The rates of links in whole bit/s.
#pragma once

#include <cmath>
#include <cstdint>

#include "network/packet/packet_clock.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

inline std::uint64_t bits_per_second(const LinkProperties& link) {
  return static_cast<std::uint64_t>(std::llround(link.bandwidth.bytes_per_ns() * 8e9));
}

}  // namespace orrery::core
