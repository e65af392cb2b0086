#include "network/packet/queue_pairs/queue_pairs.hpp"

#include <limits>

#include "network/packet/flow_control/flow_control_kinds.hpp"

namespace orrery {

QueuePairs::QueuePairs(const NetworkGraph& graph, const PacketSettings& settings, PacketLinks& links,
                       StoredWays& ways, std::unique_ptr<WayChoice> choice)
    : graph_(graph), settings_(settings), links_(links), ways_(ways), choice_(std::move(choice)) {}

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
std::uint64_t QueuePairs::line_rate(const std::vector<LinkId>& way) const {
  std::uint64_t rate = links_.port(way[0]).rate;
  for (std::size_t i = 1; i < way.size(); ++i) {
    const NodeKind kind = graph_.node(links_.port(way[i]).node).kind;
    if (kind == NodeKind::npu || kind == NodeKind::network_switch) break;
    rate = std::min(rate, links_.port(way[i]).rate);
  }
  return rate;
}

std::optional<std::uint32_t> QueuePairs::begin(const PacketMessage& message) {
  const std::optional<PacketWays> found =
      choice_->choose(message.source, message.destination, message.channel, message.stripe);
  if (!found) return std::nullopt;
  const PacketWays& ways = *found;
  const PairFacts facts = choice_->facts(message.source, message.destination, ways);
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
  pair.flow = ways.flow;
  const std::size_t level = static_cast<std::size_t>(message.priority);
  pair.priority = static_cast<std::uint8_t>(settings_.flow_control->lanes ? settings_.credits.lanes[level]
                                                                          : message.priority);
  take_ways(pair, ways);
  if (ways.data_spread)
    for (const Route::Part& part : ways.data_spread->parts) ++links_.port(part.link).flows;
  else
    for (const LinkId link : ways.data) ++links_.port(link).flows;
  Sender& sender = pair.sender;
  sender.line_rate = sender.rate = line_rate(ways.data);
  const WindowSettings& window = settings_.window;
  sender.window = !window.limited ? 0 : window.bytes > 0 ? window.bytes : facts.window;
  sender.base_rtt = facts.rtt;
  sender.next_send = links_.now();
  const ReliabilitySettings& rules = settings_.reliability;
  pair.least_timeout =
      rules.least_timeout_ps +
      rules.queues_of_timeout * links_.clock().transmission(settings_.buffer.queue, sender.line_rate);
  pair.doubtful = settings_.flow_control->loses ? std::numeric_limits<std::uint64_t>::max() : 0;
  return number;
}

void QueuePairs::add_load(const QueuePair& pair, double bytes) {
  choice_->add_load(pair.way, bytes);
}

void QueuePairs::take_ways(QueuePair& pair, const PacketWays& ways) {
  const auto load = static_cast<double>(pair.size);
  add_load(pair, -load);
  pair.way = ways.way;
  add_load(pair, load);
  const auto place_of = [&](const std::vector<LinkId>& way, const Route* spread) {
    return spread ? ways_.store_spread(graph_, way[0], *spread) : ways_.store(way);
  };
  pair.data_way = place_of(ways.data, ways.data_spread);
  pair.ack_way = place_of(ways.acks, ways.ack_spread);
  pair.port = ways.data[0];
}

}  // namespace orrery
