#include "network/link/link_transport.hpp"

#include <algorithm>
#include <cassert>

#include "network/message_time.hpp"

namespace orrery {

LinkTransport::LinkTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop)
    : topology_(topology),
      dialect_(dialect),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      map_(topology),
      links_(map_.size()) {
  for (const Dimension& dimension : topology_.dimensions)
    bytes_per_ns_.push_back(dimension.link_bandwidth.bytes_per_ns());
}

void LinkTransport::send(int source, int destination, Bytes bytes, const Event& delivered) {
  assert(source != destination && bytes > Bytes() && "the caller rejects such messages");
  const std::uint32_t number = new_message();
  Message& message = messages_[number];
  message.delivered = delivered;
  message.bytes = bytes;
  message.course = map_.course(source, destination);
  set_times(message);
  forward(number);
}

std::uint32_t LinkTransport::new_message() {
  if (unused_ == none) {
    assert(messages_.size() < none && "more messages under way than can be numbered");
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t number = unused_;
  unused_ = messages_[number].next;
  return number;
}

void LinkTransport::set_times(Message& message) const {
  const Dimension& dimension = topology_.dimensions[message.course.dimension];
  const double serialisation = message.bytes.as_double() / bytes_per_ns_[message.course.dimension];
  const double ns = dimension.link_latency_ns + serialisation;
  check_message_time(ns, message.bytes, dimension.name);
  message.until_there = loop_.clock().span(dialect_.round_delay(ns));
  message.until_free = loop_.clock().span(dialect_.round_delay(serialisation));
}

void LinkTransport::forward(std::uint32_t number) {
  const Link link = map_.next_link(messages_[number].course);
  LinkState& state = links_[link];
  if (!state.busy) {
    start(link, number);
    return;
  }
  messages_[number].next = none;
  (state.first == none ? state.first : messages_[state.last].next) = number;
  state.last = number;
}

void LinkTransport::start(Link link, std::uint32_t number) {
  const Message& message = messages_[number];
  LinkState& state = links_[link];
  const Clock& clock = loop_.clock();
  state.busy = true;
  state.free_at = clock.add(loop_.now(), message.until_free);
  state.used += clock.time(message.until_free);
  state.bytes += message.bytes;
  ++state.messages;
  loop_.after(message.until_there, Event{handler_, arrives, 0, number, 0});
  loop_.at(state.free_at, Event{handler_, frees, 0, link, 0});
}

void LinkTransport::arrive(std::uint32_t number) {
  Message& message = messages_[number];
  const std::uint16_t dimension = message.course.dimension;
  if (map_.advance(message.course)) {
    if (message.course.dimension != dimension) set_times(message);
    forward(number);
    return;
  }
  const Event delivered = message.delivered;  // what it leads to may send, and move the messages
  message.next = unused_;
  unused_ = number;
  loop_.dispatch(delivered);
}

void LinkTransport::free(Link link) {
  LinkState& state = links_[link];
  state.busy = false;
  if (state.first == none) return;
  const std::uint32_t number = state.first;
  state.first = messages_[number].next;
  start(link, number);
}

void LinkTransport::handle(const Event& event) {
  if (event.what == arrives)
    arrive(event.object);
  else
    free(event.object);
}

std::vector<LinkUse> LinkTransport::links(Time now) const {
  std::vector<LinkUse> uses;
  uses.reserve(links_.size());
  for (Link link = 0; link < links_.size(); ++link) {
    const LinkState& state = links_[link];
    const Time ahead = std::max(Time(), loop_.clock().time(state.free_at) - now);
    auto [from, to] = map_.ends(link);
    uses.push_back({std::move(from), std::move(to), map_.dimension(link), state.used - ahead, state.bytes,
                    state.messages});
  }
  return uses;
}

}  // namespace orrery
