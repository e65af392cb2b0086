// The routes that a routing finds (topology/graph/routing/), one for each flow.
#pragma once

#include "network/graph/graph_routes.hpp"
#include "network/packet/routes/packet_routes.hpp"

namespace orrery::core {

class ChosenRoutes final : public RouteSelector {
 public:
  // Keeps a reference to the topology, which has a graph.
  ChosenRoutes(const Topology& topology, const PacketSettings& settings);

  // Returns the number of flows that carry a message. There are several where the routing divides a message
  // among several links.
  std::uint32_t stripes(int source, int destination, Channel channel) override;
  std::optional<PacketRoutes> choose(int source, int destination, Channel channel,
                                     std::uint32_t stripe) override;
  std::optional<PacketRoutes> choose_again(int source, int destination, Channel channel,
                                           std::uint32_t flow) override {
    return choose(source, destination, channel, flow);
  }
  void add_load(std::uint32_t route, double bytes) override {
    if (routes_.routes().routing().by_load) routes_.add_backlog(route, bytes);
  }
  void set_share(LinkId link, double share) override {
    routes_.set_share(link, share);
    links_have_changed_ = true;
  }
  void links_changed() override { routes_.links_changed(); }
  PairFacts facts(int source, int destination, const PacketRoutes& routes) override;
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return routes_.lead(channel, source, destination, std::move(through));
  }
  bool is_led(Channel channel, int source, int destination) const override {
    return routes_.is_led(source, destination, channel);
  }

 private:
  // Returns the number of a route; none: links have changed, and now no route leads there.
  std::optional<std::uint32_t> route_between(int source, int destination, Channel channel);
  // Returns the links of each stripe of a route. They are valid until the next call.
  const std::vector<std::vector<LinkId>>& stripes_of(std::uint32_t route, int source, int destination);

  // Returns the round trip of the pair that has the longest one, ps.
  Stamp longest_rtt();

  GraphRoutes routes_;
  std::vector<std::vector<std::vector<LinkId>>> stripes_;  // by way; empty: not known yet
  bool links_have_changed_ = false;
  bool packets_choose_;
  bool counts_longest_;    // all flows have the round trip of the pair with the longest one
  Stamp longest_rtt_ = 0;  // 0: not known yet
  std::uint32_t payload_, data_bytes_, ack_bytes_;
};

}  // namespace orrery::core
