#include "network/fluid/graph_flows.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

GraphFlows::GraphFlows(const Topology& topology, EventLoop& loop)
    : flows_(loop), ways_(topology), resource_of_link_(topology.graph->links(), none) {}

std::uint32_t GraphFlows::add_way(std::uint32_t number, FlowProgress::Order order) {
  std::vector<FairShares::Use> uses;
  for (const Route::Part& part : ways_[number].route.parts) {
    std::uint32_t& resource = resource_of_link_[part.link];
    if (resource == none)
      resource = flows_.flows().add_resource(ways_.graph().link(part.link).bandwidth.bytes_per_ns());
    uses.push_back({resource, part.share});
  }
  return flows_.flows().add_way(uses, order);
}

std::uint32_t GraphFlows::shared_way(std::uint32_t way) {
  if (way >= shared_ways_.size()) shared_ways_.resize(way + 1, none);
  if (shared_ways_[way] == none) shared_ways_[way] = add_way(way, FlowProgress::Order::together);
  return shared_ways_[way];
}

void GraphFlows::send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) {
  const std::uint32_t way = ways_.between(source, destination, channel);
  ways_.count(way, bytes);
  std::uint32_t flows = 0;
  if (channel.for_one) {
    flows = shared_way(way);
  } else {
    const auto [known, is_new] = channels_.try_emplace({source, destination, channel.number}, 0);
    if (is_new) known->second = add_way(way, FlowProgress::Order::in_line);
    flows = known->second;
  }
  flows_.start(flows, bytes, ways_.alone(way, bytes).ps(), ways_[way].route.latency.ps(), delivered);
}

}  // namespace orrery
