#include "network/fluid/graph_flows.hpp"

namespace orrery {

void GraphFlows::send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) {
  const std::uint32_t way = ways_.between(source, destination, channel);
  ways_.count(way, bytes);
  std::uint32_t flows = 0;
  if (channel.for_one) {
    flows = flow_ways_.shared(way);
  } else {
    const auto [known, is_new] = channels_.try_emplace({source, destination, channel.number}, 0);
    if (is_new) known->second = flow_ways_.add(way, FlowProgress::Order::in_line);
    flows = known->second;
  }
  flows_.start(flows, bytes, ways_.alone(way, bytes).ps(), ways_[way].route.latency.ps(), delivered);
}

}  // namespace orrery
