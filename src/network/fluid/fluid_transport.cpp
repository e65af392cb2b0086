#include "network/fluid/fluid_transport.hpp"

#include <algorithm>
#include <cassert>

#include "network/link/link_loads.hpp"

namespace orrery::core {

FluidTransport::FluidTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop,
                               const std::vector<std::vector<RankId>>& in_step,
                               const std::vector<SlowLinks>& slow_links, bool link_history)
    : network_(topology, dialect, slow_links),
      flows_(loop),
      map_(topology, dialect.one_link_per_message),
      speeds_(topology, dialect, slow_links),
      classes_(
          flows_.flows(),
          [this](Link link) {
            return speeds_.bytes_per_ns(static_cast<std::size_t>(map_.dimension(link)), map_.npus(link));
          },
          !in_step.empty()),
      in_step_(in_step) {
  if (!link_history) return;
  meter_.emplace(topology, map_, speeds_);
  flows_.flows().set_observer(*this);
}

void FluidTransport::flowed(std::uint32_t route, double from_ns, double to_ns, double bytes_per_ns) {
  for (const auto& [sender, receiver] : routes_[route].ends) {
    HopCursor cursor = map_.cursor(sender, receiver);
    do meter_->add(map_.next_link(cursor), from_ns, to_ns, bytes_per_ns);
    while (map_.advance(cursor));
  }
}

// A switch is as fast as the NPU at the other end.
LinkMap::Npus FluidTransport::npus_at(int source, int destination) const {
  const int npus = map_.npus();
  return {source < npus ? source : destination, destination < npus ? destination : source};
}

std::uint32_t FluidTransport::route_of(const Key& key) {
  const auto [found, is_new] = number_of_route_.try_emplace(key, static_cast<std::uint32_t>(routes_.size()));
  if (!is_new) return found->second;
  const auto& [source, destination, channel] = key;
  Route route{};
  route.ends = in_step_.ends(source, destination);
  std::vector<Link> links;
  for (const auto& [sender, receiver] : route.ends) {
    HopCursor cursor = map_.cursor(sender, receiver);
    do links.push_back(map_.next_link(cursor));
    while (map_.advance(cursor));
  }
  const auto order = channel.for_one ? FlowProgress::Order::together : FlowProgress::Order::in_line;
  route.shared = classes_.add(std::move(links), order);
  route.most =
      speeds_.bytes_per_ns(static_cast<std::size_t>(network_.carrying_dimension(source, destination)),
                           npus_at(source, destination));
  routes_.push_back(std::move(route));
  return found->second;
}

void FluidTransport::send_on(Channel channel, int source, int destination, Bytes bytes,
                             const Event& delivered) {
  assert(source != destination && "the caller rejects such messages");
  if (channel.for_one) channel.number = 0;
  const std::uint32_t route = route_of({source, destination, channel});
  routes_[route].load += {bytes, 1};
  const Stamp alone = network_.duration(source, destination, bytes);
  const double bytes_ns = bytes.as_double() / routes_[route].most;
  const Stamp after_last_byte = std::max<Stamp>(0, alone - Clock::instant_of_ns(bytes_ns));
  flows_.start(routes_[route].shared, bytes, alone, after_last_byte, delivered);
}

std::vector<LinkUse> FluidTransport::links(Time) const {
  LinkLoads loads(map_);
  for (const Route& route : routes_) {
    LinkLoad carried = route.load;
    carried.bytes -= Bytes::rounded(flows_.bytes_left(route.shared));
    for (const auto& [sender, receiver] : route.ends) loads.add(sender, receiver, carried);
  }
  loads.settle();
  return loads.uses(speeds_);
}

LinkHistory FluidTransport::link_history() {
  if (!meter_) return {};
  flows_.tell_all();
  return meter_->history();
}

}  // namespace orrery::core
