// Computes how fast links are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/dialect.hpp"
#include "network/link/link_map.hpp"
#include "topology/slow_links.hpp"

namespace orrery::core {

// The links toward one peer count as one link that is as fast as all of them together, so that a message by
// itself takes as long as without contention. A link is as slow as the slower of the links of its two NPUs.
class LinkSpeeds {
 public:
  LinkSpeeds(const Topology& topology, const Dialect& dialect, const std::vector<SlowLinks>& slow_links = {});

  // Returns the bandwidth of a link that is not slow.
  double bytes_per_ns(std::size_t dimension) const { return bytes_per_ns_[dimension]; }
  // Returns the bandwidth of a link between these NPUs. At a switch both are the same.
  double bytes_per_ns(std::size_t dimension, LinkMap::Npus npus) const {
    const std::vector<double>& slowdown = slowdown_[dimension];
    if (slowdown.empty()) return bytes_per_ns_[dimension];
    return bytes_per_ns_[dimension] / std::max(slowdown[npus.npu], slowdown[npus.peer]);
  }
  // Returns how long bytes keep such a link busy.
  double busy_ns(std::size_t dimension, LinkMap::Npus npus, Bytes bytes) const {
    return bytes.as_double() / bytes_per_ns(dimension, npus);
  }
  // Returns the same for all bytes of a whole run, without limit.
  Time total_busy(std::size_t dimension, LinkMap::Npus npus, Bytes bytes) const;
  // Returns whether some links are slower than others.
  bool any_slow(std::size_t dimension) const { return !slowdown_[dimension].empty(); }

 private:
  std::vector<double> bytes_per_ns_;
  std::vector<std::vector<double>> slowdown_;  // per dimension, by NPU; empty: all links are equal
};

}  // namespace orrery::core
