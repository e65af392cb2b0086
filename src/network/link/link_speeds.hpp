// Computes how fast links are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/dialect.hpp"
#include "network/link/link_map.hpp"
#include "topology/slow_links.hpp"

namespace orrery {

// The links toward one peer count as one that is as fast as all together, so that a message by itself takes
// as long as without contention. A link is as slow as the slower of the links of its two NPUs.
class LinkSpeeds {
 public:
  LinkSpeeds(const Topology& topology, const Dialect& dialect, const std::vector<SlowLinks>& slow_links = {});

  // Returns the bandwidth of a link that is not slow.
  double bytes_per_ns(std::size_t dimension) const { return bytes_per_ns_[dimension]; }
  // Returns how long bytes keep a link between these NPUs busy; at a switch both are the same.
  double busy_ns(std::size_t dimension, LinkMap::Npus npus, Bytes bytes) const {
    const std::vector<double>& slowdown = slowdown_[dimension];
    const double bytes_per_ns = bytes_per_ns_[dimension];
    if (slowdown.empty()) return bytes.as_double() / bytes_per_ns;
    return bytes.as_double() / (bytes_per_ns / std::max(slowdown[npus.npu], slowdown[npus.peer]));
  }
  // Returns the same for all bytes of a whole run, without limit.
  Time total_busy(std::size_t dimension, LinkMap::Npus npus, Bytes bytes) const;
  // Returns whether some links are slower than others.
  bool any_slow(std::size_t dimension) const { return !slowdown_[dimension].empty(); }

 private:
  std::vector<double> bytes_per_ns_;
  std::vector<std::vector<double>> slowdown_;  // per dimension, by NPU; empty: all links are equal
};

}  // namespace orrery
