#include "network/link/link_transport.hpp"

#include <algorithm>
#include <cassert>

#include "base/diagnostics/diagnostics.hpp"
#include "network/link/link_sets.hpp"
#include "network/message_time.hpp"

namespace orrery::core {
namespace {

// Each link keeps a state of its own, so this many links take about 3 GiB.
Link number_of_links(const LinkMap& map) {
  if (map.size() <= Link{1} << 26) return map.size();
  throw InputError({},
                   "the machine has more than 2^26 links, each of which would be simulated; make it "
                   "smaller or use a network without contention");
}

}  // namespace

void check_number_of_links(const Topology& topology, const Dialect& dialect) {
  number_of_links(LinkMap(topology, dialect.one_link_per_message));
}

LinkTransport::LinkTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop,
                             const std::vector<SlowLinks>& slow_links, bool link_history)
    : topology_(topology),
      dialect_(dialect),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      map_(topology, dialect.one_link_per_message),
      speeds_(topology, dialect, slow_links),
      links_(number_of_links(map_)) {
  if (link_history) {
    meter_.emplace(topology_, map_, speeds_);
    metered_.resize(links_.size());
  }
  for (std::size_t d = 0; d < topology_.dimensions.size(); ++d) {
    const Dimension& dimension = topology_.dimensions[d];
    const bool differ = speeds_.any_slow(d) || dimension.nic_latency_ns > 0 ||
                        dimension.router_latency_ns > 0 || dimension.hbm_scale > 0;
    hops_.push_back({differ, std::nullopt, {}});
  }
}

void LinkTransport::send(int source, int destination, Bytes bytes, const Event& delivered) {
  assert(source != destination && "the caller rejects such messages");
  const HopCursor cursor = map_.cursor(source, destination);
  const bool from_switch = map_.block(cursor.dimension) == Block::switched && cursor.second != 0;
  forward({delivered, bytes, loop_.now(), cursor, !from_switch});
}

LinkTransport::Hop LinkTransport::time_of_hop(const Message& message) const {
  const HopCursor& cursor = message.cursor;
  const Dimension& dimension = topology_.dimensions[cursor.dimension];
  const bool differ = hops_[cursor.dimension].differ;
  const double serialisation =
      speeds_.busy_ns(cursor.dimension, {cursor.npu, map_.next_npu(cursor)}, message.bytes);
  double latency = dimension.link_latency_ns;
  if (differ) {
    const int nics = (message.enters ? 1 : 0) + (map_.leaves_dimension(cursor) ? 1 : 0);
    latency += nics * dimension.nic_latency_ns;
    if (message.enters && dimension.block == Block::switched) latency += dimension.router_latency_ns;
  }
  double ns = latency + serialisation;
  if (differ && message.enters) ns = std::max(ns, dimension.memory_ns(message.bytes));
  check_message_time(ns, message.bytes, dimension.name);
  const auto span = [&](double of) { return loop_.clock().span(dialect_.round_delay(of)); };
  const Stamp until_end = span(ns);
  return {span(serialisation), dialect_.stores_and_forwards ? until_end : span(latency), until_end};
}

LinkTransport::Hop LinkTransport::hop_of(const Message& message) {
  Hops& hops = hops_[message.cursor.dimension];
  if (hops.differ || hops.bytes != message.bytes) {
    hops.hop = time_of_hop(message);
    hops.bytes = message.bytes;
  }
  return hops.hop;
}

// The front of a message is at the beginning of its next link.
void LinkTransport::forward(const Message& message) {
  const Link link = map_.next_link(message.cursor);
  LinkState& state = links_[link];
  if (!state.busy) {
    start(link, message);
    return;
  }
  if (state.line == none) state.line = waiting_.open();
  waiting_.append(state.line, message);
}

void LinkTransport::start(Link link, Message message) {
  LinkState& state = links_[link];
  const Clock& clock = loop_.clock();
  const Hop hop = hop_of(message);
  const Stamp front_at = clock.add(loop_.now(), hop.until_front);
  state.busy = true;
  state.free_at = clock.add(loop_.now(), hop.until_free);
  state.used += clock.time(hop.until_free);
  state.bytes += message.bytes;
  ++state.messages;
  if (meter_ && hop.until_free > 0) {
    const double from = clock.time(loop_.now()).ns(), until = clock.time(state.free_at).ns();
    metered_[link] = {from, message.bytes.as_double() / (until - from)};
  }
  // The end cannot overtake itself: it comes this hop's latency after it has left the one before.
  message.end_at =
      std::max(clock.add(loop_.now(), hop.until_end), clock.add(message.end_at, hop.until_front));
  const std::uint16_t dimension = message.cursor.dimension;
  const bool goes_on = map_.advance(message.cursor);
  message.enters = message.cursor.dimension != dimension;
  const std::uint32_t number = under_way_.keep(message);
  loop_.at(goes_on ? front_at : message.end_at, Event{handler_, goes_on ? arrives : ends, 0, number, 0});
  loop_.at(state.free_at, Event{handler_, frees, 0, static_cast<std::uint32_t>(link), 0});
}

void LinkTransport::free(Link link) {
  LinkState& state = links_[link];
  if (meter_) meter(link, state.free_at);
  state.busy = false;
  if (state.line == none) return;
  const Message message = waiting_.take_first(state.line);
  if (waiting_.empty(state.line)) {
    waiting_.close(state.line);
    state.line = none;
  }
  start(link, message);
}

void LinkTransport::handle(const Event& event) {
  switch (event.what) {
    case arrives:
      forward(under_way_.take(event.object));
      break;
    case ends:
      loop_.dispatch(under_way_.take(event.object).delivered);
      break;
    default:
      free(event.object);
  }
}

std::vector<LinkUse> LinkTransport::links(Time now) const {
  LinkSets sets(map_);
  for (Link link = 0; link < links_.size(); ++link) {
    const LinkState& state = links_[link];
    const Time ahead = std::max(Time(), loop_.clock().time(state.free_at) - now);
    Bytes carried = state.bytes;
    if (ahead > Time()) {
      const double left =
          ahead.ns() * speeds_.bytes_per_ns(static_cast<std::size_t>(map_.dimension(link)), map_.npus(link));
      carried -= std::min(carried, Bytes::rounded(left));
    }
    sets.add(link, 1, {carried, state.messages}, state.used - ahead);
  }
  return sets.busiest_first();
}

void LinkTransport::meter(Link link, Stamp until) {
  Metered& on_link = metered_[link];
  const double until_ns = loop_.clock().time(until).ns();
  if (until_ns > on_link.from_ns) meter_->add(link, on_link.from_ns, until_ns, on_link.bytes_per_ns);
  on_link.from_ns = until_ns;
}

LinkHistory LinkTransport::link_history() {
  if (!meter_) return {};
  for (Link link = 0; link < links_.size(); ++link)
    if (links_[link].busy) meter(link, std::min(links_[link].free_at, loop_.now()));
  return meter_->history();
}

}  // namespace orrery::core
