#include "network/analytical/contention_free_transport.hpp"

#include <cassert>

#include <fmt/format.h>

#include "network/message_time.hpp"

namespace orrery {

ContentionFreeTransport::ContentionFreeTransport(const Topology& topology, const Dialect& dialect,
                                                 EventLoop& loop)
    : topology_(topology), dialect_(dialect), loop_(loop), dimensions_(logical_dimensions(topology)) {
  for (const Dimension& dimension : topology_.dimensions)
    bytes_per_ns_.push_back(dimension.link_bandwidth.bytes_per_ns());
  ports_.resize(dimensions_.size() * static_cast<std::size_t>(topology_.npus()));
}

std::size_t ContentionFreeTransport::carrying_dimension(int source, int destination) const {
  std::size_t d = 0;
  while (d + 1 < dimensions_.size() &&
         dimensions_[d].position(source) == dimensions_[d].position(destination))
    ++d;
  return d;
}

Time ContentionFreeTransport::duration(int source, int destination, Bytes bytes) const {
  assert(source != destination && bytes > Bytes() && "the caller rejects such messages");
  const std::size_t d = carrying_dimension(source, destination);
  const Dimension& dimension = topology_.dimensions[d];
  const int hops = dimension.hops(dimensions_[d].position(source), dimensions_[d].position(destination));
  const double ns = hops * dimension.link_latency_ns + bytes.as_double() / bytes_per_ns_[d];
  check_message_time(ns, bytes, dimension.name);
  return dialect_.round_delay(ns);
}

void ContentionFreeTransport::send(int source, int destination, Bytes bytes, const Event& delivered) {
  loop_.after(loop_.clock().span(duration(source, destination, bytes)), delivered);
  count(source, destination, bytes, 1);
}

void ContentionFreeTransport::count(int source, int destination, Bytes bytes, std::uint64_t messages) {
  const std::size_t d = carrying_dimension(source, destination);
  Port& port = ports_[d * static_cast<std::size_t>(topology_.npus()) + static_cast<std::size_t>(source)];
  const Time busy = dialect_.round_delay(bytes.as_double() / bytes_per_ns_[d]);
  port.busy = saturated_sum(port.busy, busy * static_cast<std::int64_t>(messages));
  port.bytes += bytes * messages;
  port.messages += messages;
}

std::vector<LinkUse> ContentionFreeTransport::links(Time) const {
  std::vector<LinkUse> uses;
  uses.reserve(ports_.size());
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    for (int npu = 0; npu < topology_.npus(); ++npu) {
      const Port& port = ports_[uses.size()];
      uses.push_back({fmt::format("npu{}", npu), topology_.dimensions[d].name, static_cast<int>(d), port.busy,
                      port.bytes, port.messages});
    }
  }
  return uses;
}

}  // namespace orrery
