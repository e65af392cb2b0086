#include "network/packet/engine/packet_transport.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "network/packet/queue_pairs/message_stripes.hpp"

namespace orrery::core {

namespace {

PacketLinkUse use_of(const PacketPort& port, Time now) {
  PacketLinkUse use{.packets = port.packets, .drops = port.drops, .marks = port.marks};
  const std::uint64_t holds = port.holds.count();
  const Time held = Time::from_ps(port.holds.total(now.ps()));
  (port.has_lanes ? use.credit_waits : use.pauses) = holds;
  (port.has_lanes ? use.credit_waiting : use.paused) = held;
  use.longest_queue = Bytes(port.longest_queue.highest());
  use.mean_queue = port.mean_queue(now.ps());
  use.trims = port.trims;
  use.resent = Bytes(port.resent);
  return use;
}

// Returns the links that have sent something until now, the busiest first.
std::vector<LinkUse> link_uses(const PacketNetwork& network, Time now) {
  const NetworkGraph& graph = network.graph();
  std::vector<LinkUse> uses;
  for (const PacketPort& port : network.links().ports())
    if (port.packets > 0)
      uses.push_back({.from = graph.node(port.node).name,
                      .to = graph.node(port.peer).name,
                      .load = {Bytes(port.bytes), port.flows},
                      .busy = Time::from_ps(port.busy - std::max<Stamp>(port.free_at - now.ps(), 0)),
                      .of_packets = use_of(port, now)});
  std::ranges::stable_sort(uses, std::ranges::greater(), &LinkUse::busy);
  return uses;
}

// Returns the nodes that have held packets of others, the fullest first.
std::vector<SwitchUse> switch_uses(const PacketNetwork& network) {
  const NetworkGraph& graph = network.graph();
  const FlowControl& flow_control = network.flow_control();
  const std::vector<PacketPort>& ports = network.links().ports();
  std::vector<SwitchUse> uses;
  for (const NodeId node : graph.all_nodes()) {
    const Bytes peak(flow_control.peak_of(node));
    if (!graph.node(node).forwards || peak == Bytes()) continue;
    SwitchUse& use = uses.emplace_back(SwitchUse{.name = graph.node(node).name, .peak = peak});
    if (const auto bytes = flow_control.shared_buffer(node)) use.buffer = Bytes(*bytes);
    for (const LinkId link : graph.links_from(node)) {
      use.drops += ports[link.index()].drops;
      use.marks += ports[link.index()].marks;
      if (!ports[link.index()].has_lanes)
        use.pauses += ports[ports[link.index()].reverse.index()].holds.count();
    }
  }
  std::ranges::stable_sort(uses, std::ranges::greater(), &SwitchUse::peak);
  return uses;
}

}  // namespace

PacketTransport::PacketTransport(const Topology& topology, std::shared_ptr<const PacketSettings> settings,
                                 EventLoop& loop)
    : settings_(std::move(settings)),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      network_(topology, *settings_, *this) {
  if (topology.link_changes) changes_ = topology.link_changes->list;
}

void PacketTransport::keep_history() {
  history_ = std::make_shared<PacketHistory>(network_.graph());
  add_log(history_);
}

void PacketTransport::add_log(std::shared_ptr<PacketLog> log) {
  log->begin(network_);
  logs_.push_back(std::move(log));
}

void PacketTransport::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                                const Event& delivered) {
  while (next_look() <= loop_.now()) look(next_look());
  network_.change_links_until(loop_.now());
  const MessageStripes stripes =
      stripes_of(service, bytes, network_.stripes(source, destination, service.channel), *settings_);
  const std::uint32_t number = messages_.keep({delivered, service.acknowledged, stripes.count, stripes.count,
                                               service.facts, bytes, service.priority, loop_.now()});
  for (std::uint32_t stripe = 0; stripe < stripes.count; ++stripe)
    network_.send(
        {source, destination, service.channel, stripe, stripes.bytes(stripe), stripes.priority, number},
        loop_.now());
  plan();
}

void PacketTransport::plan() {
  const Stamp next = network_.next();
  if (next >= wakes_at_) return;
  wakes_at_ = next;
  loop_.at(next, Event{handler_, wakes, 0, ++wake_, 0});
}

void PacketTransport::handle(const Event& event) {
  if (event.what == wakes) return wake(event);
  if (event.what == gives_away) return give_away(cut_.take(event.object));
  delivered(event.object, loop_.now());
  end_stripe(event.object, loop_.now());
}

// Everything else that happens in an instant comes first.
void PacketTransport::wake(const Event& event) {
  constexpr std::int64_t events_of_a_wake = 256;  // of packets, about
  if (event.object != wake_) return;              // an earlier one has been asked for since
  const Stamp now = loop_.now();
  if (loop_.has_more_now()) {
    loop_.at(now, event);
    return;
  }
  wakes_at_ = PacketEvents::never;
  loop_.add_work(events_of_a_wake);
  run(loop_.is_done() ? now + 1 : std::max(loop_.next(), now + 1));
  plan();
}

void PacketTransport::run(Stamp limit) {
  Stamp next = next_look();
  for (; next < limit && network_.next() < limit; next = next_look()) {
    if (!network_.run(next)) return;
    look(next);
  }
  network_.run(limit);
}

Stamp PacketTransport::next_look() const {
  Stamp first = PacketEvents::never;
  for (const auto& log : logs_) first = std::min(first, log->next_look());
  return first;
}

void PacketTransport::look(Stamp at) {
  for (const auto& log : logs_)
    if (log->next_look() == at) log->look(network_);
}

void PacketTransport::delivered(std::uint32_t message, Stamp at) {
  if (--messages_[message].undelivered > 0) return;
  messages_[message].end = at;
  loop_.at(at, messages_[message].delivered);
  network_.stop();
}

// Stripes count as if they did not share links.
void PacketTransport::tell(MessageFacts& facts, const AcknowledgedMessage& message) {
  facts.resent = facts.resent.value_or(Bytes()) + Bytes(message.resent);
  facts.alone =
      std::max(facts.alone.value_or(Time()), network_.time_alone(message.queue_pair, message.bytes));
}

void PacketTransport::keep_time(const Message& message) {
  times_->add(message.bytes, Time::from_ps(message.end - message.start), *message.own_facts.alone,
              *message.own_facts.resent);
}

void PacketTransport::acknowledged(const AcknowledgedMessage& stripe, Stamp at) {
  Message& message = messages_[stripe.number];
  if (message.facts) tell(*message.facts, stripe);
  if (times_) tell(message.own_facts, stripe);
  end_stripe(stripe.number, at);
}

void PacketTransport::end_stripe(std::uint32_t number, Stamp at) {
  Message& message = messages_[number];
  if (--message.unacknowledged > 0) return;
  if (times_ && !message.is_cut) keep_time(message);
  const std::optional<Event> event = messages_.take(number).acknowledged;
  if (!event) return;
  loop_.at(at, *event);
  network_.stop();
}

// The network is at work, and can take no other messages yet.
void PacketTransport::cut(const RestOfMessage& rest, Stamp at) {
  Message& message = messages_[rest.number];
  message.is_cut = true;
  if (message.facts) *std::exchange(message.facts, nullptr) = {};
  loop_.at(at, Event{handler_, gives_away, 0, cut_.keep(rest), 0});
  network_.stop();
}

void PacketTransport::give_away(const RestOfMessage& rest) {
  const Message& message = messages_[rest.number];
  if (taker_ &&
      taker_->take({.channel = rest.channel, .priority = message.priority}, rest.source, rest.destination,
                   Bytes(rest.bytes), Event{handler_, taken_has_arrived, 0, rest.number, 0}))
    return;
  const auto happened = std::ranges::partition_point(
      changes_, [&](const LinkChange& change) { return change.at <= loop_.time(); });
  report_cut(network_.graph(), {changes_.begin(), happened}, loop_.time(),
             {rest.source, rest.destination, message.bytes, Time::from_ps(message.start),
              network_.is_led(rest.channel, rest.source, rest.destination)});
}

std::vector<LinkUse> PacketTransport::links(Time now) const {
  return link_uses(network_, now);
}

std::vector<SwitchUse> PacketTransport::switches() const {
  return switch_uses(network_);
}

}  // namespace orrery::core
