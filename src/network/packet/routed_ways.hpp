// The ways that a routing finds (topology/graph/routing/), one for each flow.
#pragma once

#include "network/graph/graph_ways.hpp"
#include "network/packet/packet_ways.hpp"

namespace orrery {

class RoutedWays final : public WayChoice {
 public:
  // Keeps a reference to the topology, which has a graph.
  RoutedWays(const Topology& topology, const PacketSettings& settings);

  PacketWays choose(int source, int destination, Channel channel) override;
  PacketWays choose_again(int source, int destination, Channel channel, std::uint32_t) override {
    return choose(source, destination, channel);
  }
  void set_share(LinkId link, double share) override { ways_.set_share(link, share); }
  void links_changed() override { ways_.links_changed(); }
  PairFacts facts(int source, int destination, const PacketWays& ways) override;
  Time lead(Channel channel, int source, int destination, std::vector<std::uint32_t> through) override {
    return ways_.lead(channel, source, destination, std::move(through));
  }

 private:
  std::vector<LinkId> links_of(int source, int destination, Channel channel);

  GraphWays ways_;
  std::uint32_t payload_, data_bytes_, ack_bytes_;
  std::uint64_t parts_ = 0;  // of the links that lead on where a routing would divide a message
};

}  // namespace orrery
