#include "network/graph/relays.hpp"

namespace orrery {

Relays::Relays(const Topology& topology, std::unique_ptr<Transport> carrier, EventLoop& loop)
    : CarriedTransport(std::move(carrier)),
      loop_(loop),
      relaying_(relaying_of(topology)),
      routes_(*topology.graph),
      search_(*topology.graph, relaying_, topology.route_seed),
      handler_(loop.add_handler(*this)) {
  if (topology.link_changes) changes_ = topology.link_changes->list;
}

void Relays::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                       const Event& delivered) {
  const bool is_led = !led_.empty() && led_.contains({service.channel, source, destination});
  if (const std::optional<int> relay = is_led ? std::nullopt : relay_between(source, destination))
    send_over(*relay, service, source, destination, bytes, delivered);
  else
    carrier().send_with(service, source, destination, bytes, delivered);
}

void Relays::send_over(int relay, const MessageService& service, int source, int destination, Bytes bytes,
                       const Event& delivered) {
  MessageService rest = service;
  rest.facts = nullptr;  // they would be those of one part of the way
  MessageService first = rest;
  first.acknowledged.reset();
  const std::uint32_t number = rests_.keep({rest, relay, destination, bytes, delivered});
  carrier().send_with(first, source, relay, bytes, Event{handler_, 0, 0, number, 0});
}

Time Relays::lead(Channel channel, int source, int destination, std::vector<std::uint32_t> through) {
  if (!through.empty()) led_.insert({channel, source, destination});
  const std::optional<int> relay = through.empty() ? relay_between(source, destination) : std::nullopt;
  if (!relay) return carrier().lead(channel, source, destination, std::move(through));
  return carrier().lead(channel, source, *relay, {}) + lead(channel, *relay, destination, {});
}

bool Relays::take(Channel channel, int source, int destination, Bytes rest, const Event& delivered) {
  if (led_.contains({channel, source, destination})) return false;
  const std::optional<int> relay = relay_between(source, destination);
  if (relay) send_over(*relay, {.channel = channel}, source, destination, rest, delivered);
  return relay.has_value();
}

void Relays::handle(const Event& event) {
  const Rest rest = rests_.take(event.object);
  send_with(rest.service, rest.relay, rest.destination, rest.bytes, rest.delivered);
}

std::optional<int> Relays::relay_between(int source, int destination) {
  for (; !changes_.empty() && changes_[0].at <= loop_.time(); changes_ = changes_.subspan(1)) {
    routes_.set_broken(changes_[0].link, changes_[0].share == 0);
    search_.set_broken(changes_[0].link, changes_[0].share == 0);
  }
  const auto from = static_cast<NodeId>(source), to = static_cast<NodeId>(destination);
  if (relaying_ == Relaying::where_cut && routes_.hops(from, to) != Routes::unreachable) return std::nullopt;
  const std::optional<NodeId> relay = search_.first(from, to);
  return relay ? std::optional(static_cast<int>(*relay)) : std::nullopt;
}

}  // namespace orrery
