// Messages flow through a graph over all links of their route at once, and share these fairly
// (docs/models/network-fluid.md). A channel keeps its route.
#pragma once

#include <map>
#include <tuple>

#include "network/fluid/flow_routes.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class GraphFlows final : public Transport {
 public:
  // Keeps references. The topology has a graph in which nothing changes, and no routing by message.
  GraphFlows(const Topology& topology, EventLoop& loop, bool link_history = false)
      : flows_(loop), routes_(topology), flow_routes_(routes_, flows_, link_history) {}

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return routes_.lead(channel, source, destination, std::move(through));
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override;
  void count(int source, int destination, Bytes bytes, std::uint64_t messages) override {
    routes_.count(source, destination, bytes, messages);
  }
  std::vector<LinkUse> links(Time) const override { return routes_.links(flow_routes_.bytes_left()); }
  LinkHistory link_history() override { return flow_routes_.history(); }

 private:
  FlowLoop flows_;
  GraphRoutes routes_;
  FlowRoutes flow_routes_;
  std::map<std::tuple<int, int, std::uint32_t>, std::uint32_t>
      channels_;  // routes of the flows, by ends and number
};

}  // namespace orrery::core
