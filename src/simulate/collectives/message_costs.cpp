#include "simulate/collectives/message_costs.hpp"

#include "network/graph/graph_routes.hpp"

namespace orrery::core {

MessageCosts::MessageCosts(const Machine& machine)
    : machine_(machine), network_(machine.topology, machine.dialect, machine.network.slow_links) {}

MessageCosts::~MessageCosts() = default;

std::optional<MessageCosts::Cost> MessageCosts::of(int source, int destination, Bytes bytes) {
  if (!machine_.topology.graph) {
    // Such messages take what ContentionFreeTransport says, which is not asked here.
    if (machine_.dialect.one_link_per_message) return std::nullopt;
    const Clock& clock = network_.clock();
    const Seconds latency = Seconds::of(clock.time(network_.duration(source, destination, Bytes())));
    return Cost{latency, Seconds::of(clock.time(network_.duration(source, destination, bytes))) - latency};
  }
  if (machine_.topology.npus() > max_npus_with_routes) return std::nullopt;
  if (!routes_) routes_ = std::make_unique<GraphRoutes>(machine_.topology);
  const auto route = routes_->find(source, destination, {});
  if (!route) return std::nullopt;
  const Seconds latency = Seconds::of(routes_->alone(*route, Bytes()));
  return Cost{latency, Seconds::of(routes_->alone(*route, bytes)) - latency};
}

}  // namespace orrery::core
