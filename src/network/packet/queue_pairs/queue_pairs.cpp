#include "network/packet/queue_pairs/queue_pairs.hpp"

#include <limits>

#include "network/packet/flow_control/flow_control_kinds.hpp"

namespace orrery::core {

QueuePairs::QueuePairs(const NetworkGraph& graph, const PacketSettings& settings, PacketLinks& links,
                       RouteTable& routes, std::unique_ptr<RouteSelector> choice)
    : graph_(graph), settings_(settings), links_(links), routes_(routes), choice_(std::move(choice)) {}

std::optional<std::pair<std::uint32_t, bool>> QueuePairs::pair_of(const PacketMessage& message) {
  const bool is_alone = message.channel.for_one || settings_.queue_pair_per_message;
  const std::tuple key{message.source, message.destination, message.channel.number, message.stripe};
  if (const auto known = is_alone ? of_channel_.end() : of_channel_.find(key); known != of_channel_.end()) {
    const QueuePair& pair = pairs_[known->second];
    const bool is_of_channel = pair.source == message.source && pair.destination == message.destination &&
                               pair.channel == message.channel && pair.stripe == message.stripe;
    if (!pair.ended && is_of_channel) return std::pair(known->second, false);
  }
  const std::optional<std::uint32_t> number = begin(message);
  if (!number) return std::nullopt;
  if (!is_alone) of_channel_[key] = *number;
  return std::pair(*number, true);
}

// A NIC reads from the memory of its NPU no faster than it sends.
std::uint64_t QueuePairs::line_rate(const std::vector<LinkId>& route) const {
  std::uint64_t rate = links_.port(route[0]).rate;
  for (std::size_t i = 1; i < route.size(); ++i) {
    const NodeKind kind = graph_.node(links_.port(route[i]).node).kind;
    if (kind == NodeKind::npu || kind == NodeKind::network_switch) break;
    rate = std::min(rate, links_.port(route[i]).rate);
  }
  return rate;
}

std::optional<std::uint32_t> QueuePairs::begin(const PacketMessage& message) {
  const std::optional<PacketRoutes> found =
      choice_->choose(message.source, message.destination, message.channel, message.stripe);
  if (!found) return std::nullopt;
  const PacketRoutes& routes = *found;
  const PairFacts facts = choice_->facts(message.source, message.destination, routes);
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(pairs_.size()));
    pairs_.emplace_back().sender.number = free_.back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  QueuePair& pair = pairs_[number];
  pair.reset();
  pair.in_use = true;
  pair.source = message.source;
  pair.destination = message.destination;
  pair.channel = message.channel;
  pair.stripe = message.stripe;
  pair.flow = routes.flow;
  const std::size_t level = static_cast<std::size_t>(message.priority);
  pair.priority = static_cast<std::uint8_t>(settings_.flow_control->lanes ? settings_.credits.lanes[level]
                                                                          : message.priority);
  take_routes(pair, routes);
  if (routes.data_spread)
    for (const Route::Part& part : routes.data_spread->parts) ++links_.port(part.link).flows;
  else
    for (const LinkId link : routes.data) ++links_.port(link).flows;
  Sender& sender = pair.sender;
  sender.line_rate = sender.rate = line_rate(routes.data);
  const WindowSettings& window = settings_.window;
  sender.window = !window.limited ? 0 : window.bytes > 0 ? window.bytes : facts.window;
  sender.base_rtt = facts.rtt;
  sender.next_send = links_.now();
  const ReliabilitySettings& rules = settings_.reliability;
  pair.min_timeout =
      rules.min_timeout_ps +
      rules.queues_of_timeout * links_.clock().transmission(settings_.buffer.queue, sender.line_rate);
  pair.doubtful = settings_.flow_control->loses ? std::numeric_limits<std::uint64_t>::max() : 0;
  return number;
}

void QueuePairs::add_load(const QueuePair& pair, double bytes) {
  choice_->add_load(pair.route, bytes);
}

void QueuePairs::take_routes(QueuePair& pair, const PacketRoutes& routes) {
  const auto load = static_cast<double>(pair.size);
  add_load(pair, -load);
  pair.route = routes.route;
  add_load(pair, load);
  const auto place_of = [&](const std::vector<LinkId>& route, const Route* spread) {
    return spread ? routes_.store_spread(graph_, route[0], *spread) : routes_.store(route);
  };
  pair.data_route = place_of(routes.data, routes.data_spread);
  pair.ack_route = place_of(routes.acks, routes.ack_spread);
  pair.port = routes.data[0];
}

}  // namespace orrery::core
