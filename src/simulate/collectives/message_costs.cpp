#include "simulate/collectives/message_costs.hpp"

#include "network/graph/graph_ways.hpp"

namespace orrery {

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
  if (machine_.topology.npus() > most_npus_with_ways) return std::nullopt;
  if (!ways_) ways_ = std::make_unique<GraphWays>(machine_.topology);
  const auto way = ways_->find(source, destination, {});
  if (!way) return std::nullopt;
  const Seconds latency = Seconds::of(ways_->alone(*way, Bytes()));
  return Cost{latency, Seconds::of(ways_->alone(*way, bytes)) - latency};
}

}  // namespace orrery
