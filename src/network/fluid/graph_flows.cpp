#include "network/fluid/graph_flows.hpp"

namespace orrery::core {

void GraphFlows::send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) {
  const std::uint32_t route = routes_.between(source, destination, channel);
  routes_.count(route, bytes);
  std::uint32_t flows = 0;
  if (channel.for_one) {
    flows = flow_routes_.shared(route);
  } else {
    const auto [known, is_new] = channels_.try_emplace({source, destination, channel.number}, 0);
    if (is_new) {
      known->second = flow_routes_.add(route, FlowProgress::Order::in_line);
      flows_.found_route();
    }
    flows = known->second;
  }
  flows_.start(flows, bytes, routes_.alone(route, bytes).ps(), routes_[route].route.latency.ps(), delivered);
}

}  // namespace orrery::core
