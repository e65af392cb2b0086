// The ways that a routing finds (topology/graph/routing/), one for each flow.
#pragma once

#include "network/graph/graph_ways.hpp"
#include "network/packet/ways/packet_ways.hpp"

namespace orrery {

class RoutedWays final : public WayChoice {
 public:
  // Keeps a reference to the topology, which has a graph.
  RoutedWays(const Topology& topology, const PacketSettings& settings);

  // Returns the number of flows that carry a message. There are several where the routing divides a message
  // among several links.
  std::uint32_t stripes(int source, int destination, Channel channel) override;
  std::optional<PacketWays> choose(int source, int destination, Channel channel,
                                   std::uint32_t stripe) override;
  std::optional<PacketWays> choose_again(int source, int destination, Channel channel,
                                         std::uint32_t flow) override {
    return choose(source, destination, channel, flow);
  }
  void add_load(std::uint32_t way, double bytes) override {
    if (ways_.routes().routing().by_load) ways_.add_backlog(way, bytes);
  }
  void set_share(LinkId link, double share) override {
    ways_.set_share(link, share);
    links_have_changed_ = true;
  }
  void links_changed() override { ways_.links_changed(); }
  PairFacts facts(int source, int destination, const PacketWays& ways) override;
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return ways_.lead(channel, source, destination, std::move(through));
  }
  bool is_led(Channel channel, int source, int destination) const override {
    return ways_.is_led(source, destination, channel);
  }

 private:
  // Returns the number of a way; none: links have changed, and now no way leads there.
  std::optional<std::uint32_t> way_between(int source, int destination, Channel channel);
  // Returns the links of each stripe of a way. They are valid until the next call.
  const std::vector<std::vector<LinkId>>& stripes_of(std::uint32_t way, int source, int destination);

  // Returns the round trip of the pair that has the longest one, ps.
  Stamp longest_rtt();

  GraphWays ways_;
  std::vector<std::vector<std::vector<LinkId>>> stripes_;  // by way; empty: not known yet
  bool links_have_changed_ = false;
  bool packets_choose_;
  bool counts_longest_;    // all flows have the round trip of the pair with the longest one
  Stamp longest_rtt_ = 0;  // 0: not known yet
  std::uint32_t payload_, data_bytes_, ack_bytes_;
};

}  // namespace orrery
