#include "network/link/link_transport.hpp"

#include <algorithm>
#include <cassert>

#include "base/diagnostics.hpp"
#include "network/link/link_sets.hpp"
#include "network/message_time.hpp"

namespace orrery {
namespace {

// Each keeps its own state, so this is about 3 GiB.
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
                             const std::vector<SlowLinks>& slow_links)
    : topology_(topology),
      dialect_(dialect),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      map_(topology, dialect.one_link_per_message),
      speeds_(topology, dialect, slow_links),
      links_(number_of_links(map_)) {
  for (std::size_t d = 0; d < topology_.dimensions.size(); ++d) {
    const Dimension& dimension = topology_.dimensions[d];
    hops_differ_.push_back(speeds_.any_slow(d) || dimension.nic_latency_ns > 0 ||
                           dimension.router_latency_ns > 0 || dimension.hbm_scale > 0);
  }
}

void LinkTransport::send(int source, int destination, Bytes bytes, const Event& delivered) {
  assert(source != destination && "the caller rejects such messages");
  const std::uint32_t number = new_message();
  Message& message = messages_[number];
  message.delivered = delivered;
  message.bytes = bytes;
  message.course = map_.course(source, destination);
  message.end_at = loop_.now();
  set_times(message, true);
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

void LinkTransport::set_times(Message& message, bool enters_dimension) const {
  const Course& course = message.course;
  const Dimension& dimension = topology_.dimensions[course.dimension];
  const double serialisation =
      speeds_.busy_ns(course.dimension, {course.npu, map_.next_npu(course)}, message.bytes);
  double latency = dimension.link_latency_ns;
  if (hops_differ_[course.dimension]) {
    const int nics = (enters_dimension ? 1 : 0) + (map_.leaves_dimension(course) ? 1 : 0);
    latency += nics * dimension.nic_latency_ns;
    if (enters_dimension && dimension.block == Block::switched) latency += dimension.router_latency_ns;
  }
  double ns = latency + serialisation;
  if (hops_differ_[course.dimension] && enters_dimension)
    ns = std::max(ns, dimension.memory_ns(message.bytes));
  check_message_time(ns, message.bytes, dimension.name);
  const auto span = [&](double of) { return loop_.clock().span(dialect_.round_delay(of)); };
  message.until_free = span(serialisation);
  message.until_end = span(ns);
  message.until_front = dialect_.stores_and_forwards ? message.until_end : span(latency);
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
  Message& message = messages_[number];
  LinkState& state = links_[link];
  const Clock& clock = loop_.clock();
  state.busy = true;
  state.free_at = clock.add(loop_.now(), message.until_free);
  state.used += clock.time(message.until_free);
  state.bytes += message.bytes;
  ++state.messages;
  // The end cannot overtake itself: it comes this hop's latency after it has left the one before.
  message.end_at =
      std::max(clock.add(loop_.now(), message.until_end), clock.add(message.end_at, message.until_front));
  loop_.after(message.until_front, Event{handler_, arrives, 0, number, 0});
  loop_.at(state.free_at, Event{handler_, frees, 0, static_cast<std::uint32_t>(link), 0});
}

// The front of a message is at the far end of a link.
void LinkTransport::arrive(std::uint32_t number) {
  Message& message = messages_[number];
  const std::uint16_t dimension = message.course.dimension;
  if (map_.advance(message.course)) {
    const bool enters = message.course.dimension != dimension;
    if (enters || hops_differ_[dimension]) set_times(message, enters);
    forward(number);
    return;
  }
  if (message.end_at > loop_.now()) {
    loop_.at(message.end_at, Event{handler_, ends, 0, number, 0});
    return;
  }
  end(number);
}

void LinkTransport::end(std::uint32_t number) {
  Message& message = messages_[number];
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
  switch (event.what) {
    case arrives:
      arrive(event.object);
      break;
    case ends:
      end(event.object);
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
    sets.add(link, 1, {state.bytes, state.messages}, state.used - ahead);
  }
  return sets.busiest_first();
}

}  // namespace orrery
