// Messages go through a graph without contention: each takes its bytes over the slowest link of its way, and
// the latency of all links (cut-through). This is valid while no link is shared.
#pragma once

#include "events/event_loop.hpp"
#include "network/graph/graph_ways.hpp"
#include "network/transport.hpp"

namespace orrery {

class GraphClosedForm final : public Transport {
 public:
  // Keeps references. The topology has a graph.
  GraphClosedForm(const Topology& topology, EventLoop& loop) : loop_(loop), ways_(topology) {}

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override {
    const std::uint32_t way = ways_.between(source, destination, channel);
    ways_.count(way, bytes);
    loop_.after(loop_.clock().span(ways_.alone(way, bytes)), delivered);
  }
  std::vector<LinkUse> links(Time) const override { return ways_.links(); }

 private:
  EventLoop& loop_;
  GraphWays ways_;
};

}  // namespace orrery
