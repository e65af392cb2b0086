// Messages flow through a graph over all links of their way at once, and share these fairly
// (docs/models/network-fluid.md).
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "network/fluid/flow_loop.hpp"
#include "network/graph/graph_ways.hpp"
#include "network/transport.hpp"

namespace orrery {

class GraphFlows final : public Transport {
 public:
  // Keeps references. The topology has a graph.
  GraphFlows(const Topology& topology, EventLoop& loop);

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override;
  // Messages count when they are sent.
  std::vector<LinkUse> links(Time) const override { return ways_.links(); }

 private:
  // Returns the number, among the flows, of a way that messages share.
  std::uint32_t shared_way(std::uint32_t way);
  std::uint32_t add_way(std::uint32_t way, FlowProgress::Order order);

  FlowLoop flows_;
  GraphWays ways_;
  std::vector<std::uint32_t> resource_of_link_;  // by link; none until a way uses it
  std::vector<std::uint32_t> shared_ways_;       // by way; none until messages share it
  std::map<std::tuple<int, int, std::uint32_t>, std::uint32_t>
      channels_;  // ways of the flows, by ends and number
};

}  // namespace orrery
