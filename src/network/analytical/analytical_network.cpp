#include "network/analytical/analytical_network.hpp"

#include <algorithm>
#include <cmath>

#include "network/message_time.hpp"

namespace orrery::core {

namespace {

Clock::Mode clock_mode(const Topology& topology, const Dialect& dialect) {
  bool memory_term = std::any_of(topology.dimensions.begin(), topology.dimensions.end(),
                                 [](const Dimension& d) { return d.hbm_scale > 0; });
  return dialect.whole_nanoseconds && memory_term ? Clock::Mode::binary64_nanoseconds
                                                  : Clock::Mode::picoseconds;
}

}  // namespace

AnalyticalNetwork::AnalyticalNetwork(const Topology& topology, const Dialect& dialect,
                                     const std::vector<SlowLinks>& slow_links)
    : topology_(topology),
      switches_(topology),
      whole_nanoseconds_(dialect.whole_nanoseconds),
      clock_(clock_mode(topology, dialect)) {
  int stride = 1;
  for (const Dimension& dimension : topology.dimensions) {
    strides_.push_back(stride);
    stride *= dimension.size;
    bytes_per_ns_.push_back(dimension.link_bandwidth.bytes_per_ns() * dimension.links_per_message());
  }
  for (std::size_t d = 0; d < topology.dimensions.size(); ++d)
    slowdown_.push_back(slowdown_into(slow_links, static_cast<int>(d), stride));
}

int AnalyticalNetwork::carrying_dimension(int source, int destination) const {
  const int last = std::max(source, destination);
  if (switches_.is_switch(last)) return static_cast<int>(switches_.dimension_of(last));
  for (int d = static_cast<int>(strides_.size()) - 1; d >= 0; --d) {
    int size = topology_.dimensions[d].size;
    if (source / strides_[d] % size != destination / strides_[d] % size) return d;
  }
  return -1;
}

ContentionFreeNetwork::Route AnalyticalNetwork::route(int source, int destination) const {
  if (switches_.is_switch(std::max(source, destination))) return route_at_switch(source, destination);
  const int d = carrying_dimension(source, destination);
  if (d < 0) return {};
  const Dimension& dimension = topology_.dimensions[d];
  const int hops =
      dimension.hops(source / strides_[d] % dimension.size, destination / strides_[d] % dimension.size);
  const LinkSlowdown& slowdown = slowdown_[d];
  if (!slowdown.differs()) return {d, hops, slowdown.of_all};
  return {d, hops, std::max(slowdown.by_npu[source], slowdown.by_npu[destination])};
}

ContentionFreeNetwork::Route AnalyticalNetwork::route_at_switch(int source, int destination) const {
  const bool ends_there = switches_.is_switch(destination);
  const auto d = switches_.dimension_of(std::max(source, destination));
  const LinkSlowdown& slowdown = slowdown_[d];
  const int npu = ends_there ? source : destination;
  return {static_cast<int>(d), 1, slowdown.differs() ? slowdown.by_npu[npu] : slowdown.of_all, 1, ends_there};
}

Stamp AnalyticalNetwork::duration(int source, int destination, Bytes bytes) const {
  const Route route = this->route(source, destination);
  return route.dimension < 0 ? clock_.span(Time()) : duration_over(route, bytes);
}

Stamp AnalyticalNetwork::duration_over(const Route& route, Bytes bytes) const {
  const Dimension& dimension = topology_.dimensions[route.dimension];
  const double bytes_per_ns = bytes_per_ns_[route.dimension] / route.slowdown;
  auto cut = [this](double ns) { return whole_nanoseconds_ ? std::trunc(ns) : ns; };
  double link = cut(route.hops * dimension.link_latency_ns);
  link = cut(link + bytes.as_double() / bytes_per_ns);
  link = cut(link + route.nics * dimension.nic_latency_ns);
  if (dimension.block == Block::switched && route.enters_switch)
    link = cut(link + dimension.router_latency_ns);
  const double memory = dimension.memory_ns(bytes);
  double ns = link > memory ? link : memory;
  check_message_time(ns, bytes, dimension.name);
  return clock_.span_of_ns(ns);
}

bool AnalyticalNetwork::is_uniform(const LogicalDimension& group) const {
  if (group.physical < 0) return false;
  const Dimension& dimension = topology_.dimensions[group.physical];
  // A part of a ring is no ring itself, because the route from its last to its first member is longer than
  // one hop.
  return group.size == dimension.size || dimension.block != Block::ring;
}

bool AnalyticalNetwork::has_slow_links(const LogicalDimension& group) const {
  if (group.physical >= 0) return slowdown_[group.physical].differs();
  return std::any_of(slowdown_.begin(), slowdown_.end(),
                     [](const LinkSlowdown& slowdown) { return slowdown.differs(); });
}

GroupKinds AnalyticalNetwork::kinds_of_groups(const LogicalDimension& group) const {
  if (!has_slow_links(group)) return GroupKinds(true);
  if (group.physical < 0) return GroupKinds(false);
  const LogicalDimension whole{strides_[group.physical], topology_.dimensions[group.physical].size,
                               group.physical};
  return GroupKinds(group, whole, slowdown_[group.physical].by_npu);
}

}  // namespace orrery::core
