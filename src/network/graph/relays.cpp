#include "network/graph/relays.hpp"

#include "base/random.hpp"

namespace orrery {

Relays::Relays(const Topology& topology, std::unique_ptr<Transport> carrier, EventLoop& loop)
    : CarriedTransport(std::move(carrier)),
      graph_(*topology.graph),
      routes_(graph_),
      seed_(topology.route_seed),
      handler_(loop.add_handler(*this)) {}

void Relays::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                       const Event& delivered) {
  const std::optional<int> relay = relay_between(source, destination);
  if (!relay) {
    carrier().send_with(service, source, destination, bytes, delivered);
    return;
  }
  MessageService second = service;
  second.facts = nullptr;  // they would be those of one half
  MessageService first = second;
  first.acknowledged.reset();
  const std::uint32_t half = halves_.keep({second, *relay, destination, bytes, delivered});
  carrier().send_with(first, source, *relay, bytes, Event{handler_, 0, 0, half, 0});
}

Time Relays::lead(Channel channel, int source, int destination, std::vector<std::uint32_t> through) {
  const std::optional<int> relay = relay_between(source, destination);
  if (!relay) return carrier().lead(channel, source, destination, std::move(through));
  return carrier().lead(channel, source, *relay, {}) + carrier().lead(channel, *relay, destination, {});
}

void Relays::handle(const Event& event) {
  const Half half = halves_.take(event.object);
  carrier().send_with(half.service, half.relay, half.destination, half.bytes, half.delivered);
}

std::optional<int> Relays::relay_between(int source, int destination) {
  const auto [known, is_new] = relays_.try_emplace({source, destination});
  if (is_new) known->second = find_relay(static_cast<NodeId>(source), static_cast<NodeId>(destination));
  return known->second;
}

// A hash chooses one of the relays with the fewest links on both halves.
std::optional<int> Relays::find_relay(NodeId source, NodeId destination) {
  if (routes_.hops(source, destination) != Routes::unreachable) return std::nullopt;
  std::uint32_t fewest = 2 * Routes::unreachable;
  std::uint64_t equal = 0;
  std::optional<int> relay;
  Random random(seed_ ^ (std::uint64_t{source} << 32 | destination));
  for (NodeId npu = 0; npu < graph_.npus(); ++npu) {
    if (npu == source || npu == destination) continue;
    const std::uint32_t there = routes_.hops(source, npu), on = routes_.hops(npu, destination);
    if (there == Routes::unreachable || on == Routes::unreachable || there + on > fewest) continue;
    equal = there + on < fewest ? 1 : equal + 1;
    fewest = there + on;
    if (random.next() % equal == 0) relay = static_cast<int>(npu);
  }
  return relay;
}

}  // namespace orrery
