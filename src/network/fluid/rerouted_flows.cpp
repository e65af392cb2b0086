#include "network/fluid/rerouted_flows.hpp"

#include <utility>

namespace orrery::core {

ReroutedFlows::ReroutedFlows(const Topology& topology, EventLoop& loop, bool link_history)
    : loop_(loop),
      handler_(loop.add_handler(*this)),
      flows_(loop),
      routes_(topology),
      flow_routes_(routes_, flows_, link_history) {
  if (topology.link_changes) changes_ = topology.link_changes->list;
  change_links();
}

void ReroutedFlows::send_on(Channel channel, int source, int destination, Bytes bytes,
                            const Event& delivered) {
  const std::uint32_t message =
      messages_.keep({source, destination, channel, bytes, loop_.time(), delivered});
  if (lines_.enter(source, destination, channel, message)) start_next(message);
}

void ReroutedFlows::start_next(std::optional<std::uint32_t> number) {
  while (number) {
    if (const std::optional<std::uint32_t> route = route_of(messages_[*number]))
      return start(*number, *route);
    number = give_away(*number, messages_[*number].bytes);
  }
}

void ReroutedFlows::start(std::uint32_t number, std::uint32_t route) {
  Message& message = messages_[number];
  message.route = route;
  routes_.count(message.route, message.bytes);
  if (routes_.routes().routing().by_message) routes_.add_backlog(message.route, message.bytes.as_double());
  // If links change, the message may become faster than it would be alone now.
  const Time latency = routes_[message.route].route.latency;
  const Stamp alone = changes_.empty() ? (routes_.alone(message.route, message.bytes) - latency).ps() : 0;
  const std::uint32_t flow = flows_.start(flow_routes_.shared(message.route), message.bytes, alone, 0,
                                          Event{handler_, left, 0, number, 0});
  if (flow >= message_of_flow_.size()) message_of_flow_.resize(flow + 1);
  message_of_flow_[flow] = number;
}

void ReroutedFlows::handle(const Event& event) {
  if (event.what == changes)
    change_links();
  else
    conclude(messages_.take(event.object));
}

void ReroutedFlows::conclude(const Message& message) {
  if (routes_.routes().routing().by_message) routes_.add_backlog(message.route, -message.bytes.as_double());
  loop_.after(routes_[message.route].route.latency.ps(), message.delivered);
  start_next(lines_.leave(message.source, message.destination, message.channel));
}

// Carries out the changes of this instant.
void ReroutedFlows::change_links() {
  const std::size_t first = next_change_;
  bool broken = false;  // otherwise the link works again
  if (first < changes_.size() && changes_[first].at <= loop_.time())
    routes_.end_bandwidths(flow_routes_.bytes_left());
  for (; next_change_ < changes_.size() && changes_[next_change_].at <= loop_.time(); ++next_change_) {
    const LinkChange& change = changes_[next_change_];
    broken = broken || change.share == 0 || routes_.bytes_per_ns(change.link) == 0;
    routes_.set_share(change.link, change.share);
    flow_routes_.update(change.link);
  }
  if (next_change_ > first) routes_.links_changed();
  if (broken) find_routes_anew();
  if (next_change_ < changes_.size())
    loop_.at(changes_[next_change_].at.ps(), Event{handler_, changes, 0, 0, 0});
}

void ReroutedFlows::find_routes_anew() {
  const bool by_message = routes_.routes().routing().by_message;
  std::vector<std::pair<std::uint32_t, Bytes>> cut;
  for (const FlowProgress::Rest& rest : flows_.stop_all()) {
    const std::uint32_t number = message_of_flow_[rest.flow];
    Message& message = messages_[number];
    const std::uint32_t before = message.route;
    const std::optional<std::uint32_t> route = route_of(message);
    if (by_message) routes_.add_backlog(before, -message.bytes.as_double());
    if (!route) {
      cut.emplace_back(number, Bytes::rounded(rest.bytes));
      flows_.give_up(rest);
      routes_.take_back(before, cut.back().second);
      continue;
    }
    message.route = *route;
    if (*route != before) routes_.move(before, *route, Bytes::rounded(rest.bytes));
    if (by_message) routes_.add_backlog(*route, message.bytes.as_double());
    flows_.go_on(flow_routes_.shared(*route), rest);
  }
  for (const auto& [number, rest] : cut) start_next(give_away(number, rest));
}

std::optional<std::uint32_t> ReroutedFlows::route_of(const Message& message) {
  if (next_change_ == 0 && !taker_)
    return routes_.between(message.source, message.destination, message.channel);
  return routes_.find(message.source, message.destination, message.channel);
}

std::optional<std::uint32_t> ReroutedFlows::give_away(std::uint32_t number, Bytes rest) {
  const Message message = messages_.take(number);
  if (!taker_ || !taker_->take({.channel = message.channel}, message.source, message.destination, rest,
                               message.delivered))
    report_cut(routes_.graph(), changes_.first(next_change_), loop_.time(),
               {message.source, message.destination, message.bytes, message.sent,
                routes_.is_led(message.source, message.destination, message.channel)});
  return lines_.leave(message.source, message.destination, message.channel);
}

}  // namespace orrery::core
