// In the closed-form network a message takes latency plus bytes over bandwidth, without contention.
//
//   link     = hops * latency + bytes / bandwidth + 2 * nic + router
//   memory   = (hbm latency + bytes / hbm bandwidth) * scale
//   duration = max(link, memory)
//
// Only the highest dimension in which source and destination differ is charged
// (docs/models/network-analytical.md, One message). This is valid while links are not shared: any number of
// messages pass at full bandwidth, and a message that crosses several hops or dimensions pays for its bytes
// once (cut-through). In whole-nanosecond dialects the latency is cut after every term, and the time of the
// bytes is left fractional. Where the links of the sender or the receiver into that dimension are slow, the
// bytes take longer by the larger of their factors.
//
// A message between an NPU and its switch in a dimension (DimensionSwitches) has one hop and one NIC, and on
// the way to the switch its router. So the ways to it and from it add up to the way through it.
#pragma once

#include <vector>

#include "base/dialect.hpp"
#include "network/contention_free_network.hpp"
#include "topology/dimension_switches.hpp"
#include "topology/slow_links.hpp"

namespace orrery::core {

class AnalyticalNetwork final : public ContentionFreeNetwork {
 public:
  AnalyticalNetwork(const Topology& topology, const Dialect& dialect,
                    const std::vector<SlowLinks>& slow_links = {});

  // Returns the clock that this network's durations need.
  const Clock& clock() const { return clock_; }

  Stamp duration(int source, int destination, Bytes bytes) const override;
  Route route(int source, int destination) const override;
  int carrying_dimension(int source, int destination) const override;
  bool is_uniform(const LogicalDimension& group) const override;
  bool has_slow_links(const LogicalDimension& group) const override;
  GroupKinds kinds_of_groups(const LogicalDimension& group) const override;

 private:
  Stamp duration_over(const Route& route, Bytes bytes) const;
  Route route_at_switch(int source, int destination) const;

  Topology topology_;
  DimensionSwitches switches_;
  bool whole_nanoseconds_;
  Clock clock_;
  std::vector<int> strides_;
  std::vector<double> bytes_per_ns_;    // bandwidth of one message, per dimension
  std::vector<LinkSlowdown> slowdown_;  // per dimension
};

}  // namespace orrery::core
