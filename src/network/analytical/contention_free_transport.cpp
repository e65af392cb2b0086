#include "network/analytical/contention_free_transport.hpp"

#include <algorithm>
#include <cassert>

#include "network/message_time.hpp"

namespace orrery::core {

ContentionFreeTransport::ContentionFreeTransport(const Topology& topology, const Dialect& dialect,
                                                 EventLoop& loop, const std::vector<SlowLinks>& slow_links,
                                                 const std::vector<std::vector<RankId>>& in_step)
    : topology_(topology),
      dialect_(dialect),
      loop_(loop),
      dimensions_(logical_dimensions(topology)),
      map_(topology, dialect.one_link_per_message),
      speeds_(topology, dialect, slow_links),
      loads_(map_),
      in_step_(in_step) {
  if (!dialect.one_link_per_message) all_links_.emplace(topology, dialect, slow_links);
  for (const Dimension& dimension : topology_.dimensions)
    bytes_per_ns_.push_back(dimension.link_bandwidth.bytes_per_ns());
}

std::size_t ContentionFreeTransport::carrying_dimension(int source, int destination) const {
  std::size_t d = 0;
  while (d + 1 < dimensions_.size() &&
         dimensions_[d].position(source) == dimensions_[d].position(destination))
    ++d;
  return d;
}

Time ContentionFreeTransport::duration(int source, int destination, Bytes bytes) const {
  assert(source != destination && "the caller rejects such messages");
  if (all_links_) return all_links_->clock().time(all_links_->duration(source, destination, bytes));
  const std::size_t d = carrying_dimension(source, destination);
  const Dimension& dimension = topology_.dimensions[d];
  const int hops = dimension.hops(dimensions_[d].position(source), dimensions_[d].position(destination));
  double link = hops * dimension.link_latency_ns + bytes.as_double() / bytes_per_ns_[d];
  link += 2 * dimension.nic_latency_ns;
  if (dimension.block == Block::switched) link += dimension.router_latency_ns;
  const double ns = std::max(link, dimension.memory_ns(bytes));
  check_message_time(ns, bytes, dimension.name);
  return dialect_.round_delay(ns);
}

void ContentionFreeTransport::send(int source, int destination, Bytes bytes, const Event& delivered) {
  loop_.after(loop_.clock().span(duration(source, destination, bytes)), delivered);
  count(source, destination, bytes, 1);
}

void ContentionFreeTransport::count(int source, int destination, Bytes bytes, std::uint64_t messages) {
  for (const auto& [from, to] : in_step_.ends(source, destination))
    loads_.add(from, to, {bytes * messages, messages});
}

std::vector<LinkUse> ContentionFreeTransport::links(Time) const {
  LinkLoads loads = loads_;
  loads.settle();
  return loads.uses(speeds_);
}

}  // namespace orrery::core
