#include "network/packet/packet_transport.hpp"

#include <algorithm>

#include "network/packet/message_stripes.hpp"

namespace orrery {

PacketTransport::PacketTransport(const Topology& topology, std::shared_ptr<const PacketSettings> settings,
                                 EventLoop& loop)
    : settings_(std::move(settings)),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      network_(topology, *settings_, *this) {}

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
  const MessageStripes stripes =
      stripes_of(service, bytes, network_.stripes(source, destination, service.channel), *settings_);
  const std::uint32_t number = messages_.keep({delivered,
                                               service.acknowledged,
                                               stripes.count,
                                               stripes.count,
                                               service.facts,
                                               bytes,
                                               loop_.now(),
                                               0,
                                               {}});
  while (next_look() <= loop_.now()) look(next_look());
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

// Everything else that happens in an instant comes first.
void PacketTransport::handle(const Event& event) {
  constexpr std::uint64_t events_of_a_wake = 256;  // of packets, about
  if (event.object != wake_) return;               // an earlier one has been asked for since
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
  if (--message.unacknowledged > 0) return;
  if (times_) keep_time(message);
  const std::optional<Event> event = messages_.take(stripe.number).acknowledged;
  if (!event) return;
  loop_.at(at, *event);
  network_.stop();
}

}  // namespace orrery
