#include "network/packet/routed_ways.hpp"

#include <algorithm>

#include "network/packet/link_rates.hpp"
#include "network/packet/packet_settings.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery {

RoutedWays::RoutedWays(const Topology& topology, const PacketSettings& settings)
    : ways_(topology),
      payload_(settings.sizes.payload),
      data_bytes_(settings.sizes.payload + settings.sizes.data_header),
      ack_bytes_(settings.sizes.ack_header) {}

// Where the routing divides a message among several links, its packets take one of them, by turns.
std::vector<LinkId> RoutedWays::links_of(int source, int destination, Channel channel) {
  const Route& route = ways_[ways_.between(source, destination, channel)].route;
  std::vector<LinkId> links, ahead;
  auto node = static_cast<NodeId>(source);
  while (node != static_cast<NodeId>(destination)) {
    ahead.clear();
    for (const Route::Part& part : route.parts)
      if (ways_.graph().link(part.link).from == node) ahead.push_back(part.link);
    const LinkId link = ahead.size() == 1 ? ahead[0] : ahead[parts_++ % ahead.size()];
    links.push_back(link);
    node = ways_.graph().link(link).to;
  }
  return links;
}

PacketWays RoutedWays::choose(int source, int destination, Channel channel) {
  return {links_of(source, destination, channel), links_of(destination, source, channel), 0};
}

PairFacts RoutedWays::facts(int, int, const PacketWays& ways) {
  const PacketClock clock(false);
  PairFacts facts;
  std::uint64_t least = 0;
  for (const LinkId id : ways.data) {
    const NetworkLink& link = ways_.graph().link(id);
    const std::uint64_t rate = bits_per_second(link);
    facts.rtt += link.latency.ps() + clock.transmission(data_bytes_, rate);
    least = least == 0 ? rate : std::min(least, rate);
  }
  for (const LinkId id : ways.acks) {
    const NetworkLink& link = ways_.graph().link(id);
    facts.rtt += link.latency.ps() + clock.transmission(ack_bytes_, bits_per_second(link));
  }
  // A packet may be sent when less than the window is under way, and one more has to be on its way to be so.
  facts.window = product_over(static_cast<std::uint64_t>(facts.rtt), least, 8'000'000'000'000) + payload_;
  return facts;
}

}  // namespace orrery
