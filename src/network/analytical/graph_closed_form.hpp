// Messages go through a graph without contention: each takes its bytes over the slowest link of its route,
// and the latency of all links (cut-through). This is valid while no link is shared.
#pragma once

#include "events/event_loop.hpp"
#include "network/graph/graph_routes.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class GraphClosedForm final : public Transport {
 public:
  // Keeps references. The topology has a graph.
  GraphClosedForm(const Topology& topology, EventLoop& loop) : loop_(loop), routes_(topology) {}

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override {
    const std::uint32_t route = routes_.between(source, destination, channel);
    routes_.count(route, bytes);
    loop_.after(loop_.clock().span(routes_.alone(route, bytes)), delivered);
  }
  std::vector<LinkUse> links(Time) const override { return routes_.links(); }

 private:
  EventLoop& loop_;
  GraphRoutes routes_;
};

}  // namespace orrery::core
