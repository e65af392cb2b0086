#include "network/packet/routes/chosen_routes.hpp"

#include <algorithm>
#include <map>

#include "base/random.hpp"
#include "network/packet/link_rates.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery::core {

ChosenRoutes::ChosenRoutes(const Topology& topology, const PacketSettings& settings)
    : routes_(topology),
      packets_choose_(routes_.routes().routing().packets.choose != nullptr),
      counts_longest_(settings.window.largest_of_all),
      payload_(settings.sizes.payload),
      data_bytes_(settings.sizes.payload + settings.sizes.data_header),
      ack_bytes_(settings.sizes.ack_header) {}

// At every node to which several stripes come, they take the links that lead on by turns. Behind the first
// node, flows begin with different links, by a hash, so that their stripes do not all meet on the same ones.
// Where packets choose behind the first link, there are as many stripes as first links.
const std::vector<std::vector<LinkId>>& ChosenRoutes::stripes_of(std::uint32_t route, int source,
                                                                 int destination) {
  if (route >= stripes_.size()) stripes_.resize(route + 1);
  std::vector<std::vector<LinkId>>& stripes = stripes_[route];
  if (!stripes.empty()) return stripes;
  const NetworkGraph& graph = routes_.graph();
  std::map<NodeId, std::vector<LinkId>> ahead;
  for (const Route::Part& part : routes_[route].route.parts)
    ahead[graph.link(part.link).from].push_back(part.link);
  std::size_t most = 1;
  Random hash(static_cast<std::uint64_t>(source) << 32 ^ static_cast<std::uint64_t>(destination));
  std::map<NodeId, std::uint64_t> turns;
  for (const auto& [node, links] : ahead) {
    if (!packets_choose_ || node == NodeId(source)) most = std::max(most, links.size());
    turns[node] = node == NodeId(source) ? 0 : hash.next() % links.size();
  }
  for (std::size_t stripe = 0; stripe < most; ++stripe) {
    std::vector<LinkId>& route_of_stripe = stripes.emplace_back();
    NodeId node(source);
    while (node != NodeId(destination)) {
      const std::vector<LinkId>& links = ahead.at(node);
      route_of_stripe.push_back(links[turns[node]++ % links.size()]);
      node = graph.link(route_of_stripe.back()).to;
    }
  }
  return stripes;
}

std::optional<std::uint32_t> ChosenRoutes::route_between(int source, int destination, Channel channel) {
  return links_have_changed_ ? routes_.find(source, destination, channel)
                             : routes_.between(source, destination, channel);
}

std::uint32_t ChosenRoutes::stripes(int source, int destination, Channel channel) {
  const std::optional<std::uint32_t> route = route_between(source, destination, channel);
  return route ? static_cast<std::uint32_t>(stripes_of(*route, source, destination).size()) : 1;
}

std::optional<PacketRoutes> ChosenRoutes::choose(int source, int destination, Channel channel,
                                                 std::uint32_t stripe) {
  const auto link_by_link = [&](const std::vector<std::vector<LinkId>>& stripes) {
    return stripes[stripe % stripes.size()];
  };
  const std::optional<std::uint32_t> there = route_between(source, destination, channel),
                                     back = route_between(destination, source, channel);
  if (!there || !back) return std::nullopt;
  PacketRoutes routes{link_by_link(stripes_of(*there, source, destination)),
                      link_by_link(stripes_of(*back, destination, source)), stripe, *there};
  if (packets_choose_) {
    routes.data_spread = &routes_[*there].route;
    routes.ack_spread = &routes_[*back].route;
  }
  return routes;
}

PairFacts ChosenRoutes::facts(int, int, const PacketRoutes& routes) {
  const PacketClock clock(false);
  PairFacts facts;
  std::uint64_t least = 0;
  Stamp waiting = 0;
  for (const LinkId id : routes.data) {
    const NetworkLink& link = routes_.graph().link(id);
    const std::uint64_t rate = bits_per_second(link);
    facts.rtt += link.latency.ps() + clock.transmission(data_bytes_, rate);
    least = least == 0 ? rate : std::min(least, rate);
  }
  for (const LinkId id : routes.acks) {
    const NetworkLink& link = routes_.graph().link(id);
    const std::uint64_t rate = bits_per_second(link);
    facts.rtt += link.latency.ps() + clock.transmission(ack_bytes_, rate);
    waiting += clock.transmission(data_bytes_, rate);
  }
  facts.rate = least;
  if (counts_longest_) {
    facts.rtt = longest_rtt();
    facts.window = product_over(static_cast<std::uint64_t>(facts.rtt), least, 8'000'000'000'000);
    return facts;
  }
  // A flow should not have to wait when others send the other way and every acknowledgement finds a packet
  // ahead of it. A packet may be sent when less than the window is under way, so the window includes one
  // packet more.
  facts.window =
      product_over(static_cast<std::uint64_t>(facts.rtt + waiting), least, 8'000'000'000'000) + payload_;
  return facts;
}

// The longest time of a route with the fewest links from each NPU; routes are found in rings around it.
Stamp ChosenRoutes::longest_rtt() {
  if (longest_rtt_ > 0) return longest_rtt_;
  const NetworkGraph& graph = routes_.graph();
  const PacketClock clock(false);
  std::vector<Stamp> takes(graph.links());
  for (const LinkId id : graph.all_links()) {
    const NetworkLink& there = graph.link(id);
    const NetworkLink& back = graph.link(graph.reverse(id));
    takes[id.index()] = there.latency.ps() + clock.transmission(data_bytes_, bits_per_second(there)) +
                        back.latency.ps() + clock.transmission(ack_bytes_, bits_per_second(back));
  }
  constexpr int unknown = -1;
  for (const NodeId source : graph.all_npus()) {
    std::vector<int> ring(graph.nodes(), unknown);
    std::vector<Stamp> far(graph.nodes());
    std::vector<NodeId> reached{source};
    ring[source.index()] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const NodeId node = reached[i];
      if (node != source && graph.is_npu(node)) longest_rtt_ = std::max(longest_rtt_, far[node.index()]);
      if (node != source && !graph.node(node).forwards) continue;
      for (const LinkId link : graph.links_from(node)) {
        const NodeId next = graph.link(link).to;
        if (ring[next.index()] == unknown) {
          ring[next.index()] = ring[node.index()] + 1;
          reached.push_back(next);
        }
        if (ring[next.index()] == ring[node.index()] + 1)
          far[next.index()] = std::max(far[next.index()], far[node.index()] + takes[link.index()]);
      }
    }
  }
  return longest_rtt_;
}

}  // namespace orrery::core
