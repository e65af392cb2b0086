#include "network/graph/forwarding_transport.hpp"

namespace orrery::core {

ForwardingTransport::ForwardingTransport(const Topology& topology, std::unique_ptr<Transport> carrier,
                                         EventLoop& loop)
    : CarriedTransport(std::move(carrier)),
      loop_(loop),
      graph_(*topology.graph),
      relaying_(relaying_of(topology)),
      routes_(graph_),
      search_(graph_, relaying_, topology.route_seed),
      handler_(loop.add_handler(*this)) {
  if (topology.link_changes) changes_ = topology.link_changes->list;
  if (!changes_.empty()) broken_.resize(graph_.links());
}

void ForwardingTransport::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                                    const Event& delivered) {
  const bool is_led = !led_.empty() && led_.contains({service.channel, source, destination});
  if (const std::optional<int> relay = is_led ? std::nullopt : relay_between(source, destination))
    send_over(*relay, service, source, destination, bytes, delivered);
  else
    carrier().send_with(service, source, destination, bytes, delivered);
}

void ForwardingTransport::send_over(int relay, const MessageService& service, int source, int destination,
                                    Bytes bytes, const Event& delivered) {
  MessageService rest = service;
  rest.facts = nullptr;  // they would be those of one part of the route
  MessageService first = rest;
  first.acknowledged.reset();
  const std::uint32_t number = rests_.keep({rest, relay, destination, bytes, delivered});
  carrier().send_with(first, source, relay, bytes, Event{handler_, 0, 0, number, 0});
}

Time ForwardingTransport::lead(Channel channel, int source, int destination, std::vector<NodeId> through) {
  if (!through.empty()) led_.insert({channel, source, destination});
  const std::optional<int> relay = through.empty() ? relay_between(source, destination) : std::nullopt;
  if (!relay) return carrier().lead(channel, source, destination, std::move(through));
  return carrier().lead(channel, source, *relay, {}) + lead(channel, *relay, destination, {});
}

bool ForwardingTransport::take(const MessageService& service, int source, int destination, Bytes rest,
                               const Event& delivered) {
  if (led_.contains({service.channel, source, destination})) return false;
  const std::optional<int> relay = relay_between(source, destination);
  if (relay) send_over(*relay, service, source, destination, rest, delivered);
  return relay.has_value();
}

void ForwardingTransport::handle(const Event& event) {
  const Rest rest = rests_.take(event.object);
  send_with(rest.service, rest.relay, rest.destination, rest.bytes, rest.delivered);
}

// Where messages are acknowledged, a link that is broken one way is of no use to NPUs that pass messages on.
void ForwardingTransport::change_links() {
  for (; !changes_.empty() && changes_[0].at <= loop_.time(); changes_ = changes_.subspan(1)) {
    const LinkId link = changes_[0].link;
    broken_[link.index()] = changes_[0].share == 0;
    routes_.set_broken(link, broken_[link.index()]);
    const LinkId back = carrier().acknowledges() ? graph_.reverse(link) : LinkId::none;
    const bool is_useless = broken_[link.index()] || (back != LinkId::none && broken_[back.index()]);
    search_.set_broken(link, is_useless);
    if (back != LinkId::none) search_.set_broken(back, is_useless);
  }
}

bool ForwardingTransport::is_cut(NodeId source, NodeId destination) {
  if (routes_.hops(source, destination) == Routes::unreachable) return true;
  return !broken_.empty() && carrier().acknowledges() &&
         routes_.hops(destination, source) == Routes::unreachable;
}

std::optional<int> ForwardingTransport::relay_between(int source, int destination) {
  change_links();
  const NodeId from(source), to(destination);
  if (relaying_ == Relaying::where_cut && !is_cut(from, to)) return std::nullopt;
  const std::optional<NodeId> relay = search_.first(from, to);
  return relay ? std::optional(static_cast<int>(relay->value())) : std::nullopt;
}

}  // namespace orrery::core
