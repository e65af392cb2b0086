#include "network/packet/packet_transport.hpp"

#include <algorithm>

#include "network/packet/message_stripes.hpp"

namespace orrery {

PacketTransport::PacketTransport(const Topology& topology, std::shared_ptr<const PacketSettings> settings,
                                 EventLoop& loop)
    : settings_(std::move(settings)),
      graph_(*topology.graph),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      network_(topology, *settings_, *this) {}

void PacketTransport::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                                const Event& delivered) {
  const MessageStripes stripes =
      stripes_of(service, bytes, network_.stripes(source, destination, service.channel), *settings_);
  const std::uint32_t number =
      messages_.keep({delivered, service.acknowledged, stripes.count, stripes.count});
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
  loop_.at(next, Event{handler_, 0, 0, ++wake_, 0});
}

// All else of an instant comes first.
void PacketTransport::handle(const Event& event) {
  if (event.object != wake_) return;  // an earlier one has been asked for since
  const Stamp now = loop_.now();
  if (loop_.has_more_now()) {
    loop_.at(now, event);
    return;
  }
  wakes_at_ = PacketEvents::never;
  network_.run(std::max(loop_.next(), now + 1));
  plan();
}

void PacketTransport::delivered(std::uint32_t message, Stamp at) {
  if (--messages_[message].undelivered > 0) return;
  loop_.at(at, messages_[message].delivered);
  network_.stop();
}

void PacketTransport::acknowledged(std::uint32_t message, Stamp at) {
  if (--messages_[message].unacknowledged > 0) return;
  const std::optional<Event> event = messages_.take(message).acknowledged;
  if (!event) return;
  loop_.at(at, *event);
  network_.stop();
}

std::vector<LinkUse> PacketTransport::links(Time) const {
  std::vector<LinkUse> uses;
  for (const PacketPort& port : network_.links().ports()) {
    if (port.packets == 0) continue;
    uses.push_back({graph_.node(port.node).name,
                    graph_.node(port.peer).name,
                    0,
                    1,
                    {Bytes(port.bytes), port.flows},
                    Time::from_ps(port.busy),
                    PacketLinkUse{port.packets, port.drops, port.marks, port.pauses,
                                  Bytes(port.longest_queue), Bytes(port.resent)}});
  }
  std::ranges::stable_sort(uses, [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

}  // namespace orrery
