#include "network/link/link_speeds.hpp"

namespace orrery::core {

LinkSpeeds::LinkSpeeds(const Topology& topology, const Dialect& dialect,
                       const std::vector<SlowLinks>& slow_links) {
  const int npus = topology.npus();
  for (const Dimension& dimension : topology.dimensions) {
    const double of_one = dimension.link_bandwidth.bytes_per_ns();
    const double of_message = dialect.one_link_per_message ? of_one : of_one * dimension.links_per_message();
    LinkSlowdown slowdown = slowdown_into(slow_links, static_cast<int>(slowdown_.size()), npus);
    bytes_per_ns_.push_back(of_message / slowdown.of_all);
    slowdown_.push_back(std::move(slowdown.by_npu));
  }
}

Time LinkSpeeds::total_busy(std::size_t dimension, LinkMap::Npus npus, Bytes bytes) const {
  constexpr double longest_ns = 9.2e15;  // what a Time can hold
  return Time::from_ns_rounded(std::min(busy_ns(dimension, npus, bytes), longest_ns));
}

}  // namespace orrery::core
