#include "network/packet/steady/steady_state_transport.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/engine/time_alone.hpp"
#include "network/packet/link_rates.hpp"
#include "network/packet/queue_pairs/message_stripes.hpp"

namespace orrery::core {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

SteadyStateTransport::SteadyStateTransport(const Topology& topology,
                                           std::shared_ptr<const PacketSettings> settings, EventLoop& loop)
    : settings_(std::move(settings)),
      graph_(*topology.graph),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      clock_(settings_->whole_nanoseconds),
      choice_(make_route_selector(topology, *settings_)),
      flows_(loop),
      shares_(topology, *settings_, flows_.flows()),
      resource_of_link_(graph_.links(), none) {
  flows_.flows().set_rates(shares_);
  const std::uint32_t telemetry = settings_->congestion.kind ? settings_->congestion.kind->header_bytes : 0;
  data_header_ = settings_->sizes.data_header + telemetry;
  ack_bytes_ = settings_->sizes.ack(telemetry);
}

std::uint32_t SteadyStateTransport::resource_of(LinkId link) {
  std::uint32_t& resource = resource_of_link_[link.index()];
  if (resource == none) resource = flows_.flows().add_resource(graph_.link(link).bandwidth.bytes_per_ns());
  return resource;
}

Stamp SteadyStateTransport::latency(const std::vector<LinkId>& links, std::uint64_t bytes) const {
  Stamp sum = 0;
  for (const LinkId id : links)
    sum += clock_.not_before(graph_.link(id).latency.ps()) +
           clock_.transmission(bytes, bits_per_second(graph_.link(id)));
  return sum;
}

// Data and acknowledgements take their parts of the links.
std::uint32_t SteadyStateTransport::add_route(SteadyRoute links, FlowProgress::Order order) {
  Route& route = routes_.emplace_back();
  route.links = std::move(links);
  const std::uint64_t full = settings_->sizes.payload + data_header_;
  route.links.number = static_cast<std::uint32_t>(routes_.size() - 1);
  route.links.latency = latency(route.links.links.data, full);
  route.back = latency(route.links.links.acks, ack_bytes_);
  std::vector<MaxMinRates::Use> uses;
  const auto payload = static_cast<double>(settings_->sizes.payload);
  for (const LinkId link : route.links.links.data) {
    uses.push_back({resource_of(link), static_cast<double>(full) / payload});
    route.slowest = std::max(route.slowest, clock_.transmission(full, bits_per_second(graph_.link(link))));
  }
  for (const LinkId link : route.links.links.acks)
    uses.push_back({resource_of(link), static_cast<double>(ack_bytes_) / payload});
  route.bytes_per_ns = payload / static_cast<double>(route.slowest) * 1000;
  shares_.add(route.links);
  return flows_.flows().add_route(uses, order);
}

std::uint32_t SteadyStateTransport::route_of(int source, int destination, Channel channel,
                                             std::uint32_t stripe, int priority) {
  const bool alone = channel.for_one || settings_->queue_pair_per_message;
  const std::tuple queue_pair{source, destination, channel.number, stripe, priority};
  if (const auto known = queue_pairs_.find(queue_pair); !alone && known != queue_pairs_.end())
    return known->second;
  SteadyRoute links;
  links.links = *choice_->choose(source, destination, channel, stripe);  // links do not change
  links.facts = choice_->facts(source, destination, links.links);
  links.source = source;
  links.destination = destination;
  links.priority = priority;
  if (!alone) return queue_pairs_[queue_pair] = add_route(std::move(links), FlowProgress::Order::in_line);
  const auto [known, is_new] =
      shared_routes_.try_emplace({links.links.data, links.links.acks, priority}, none);
  if (is_new) known->second = add_route(std::move(links), FlowProgress::Order::together);
  return known->second;
}

void SteadyStateTransport::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                                     const Event& delivered) {
  const MessageStripes stripes =
      stripes_of(service, bytes, choice_->stripes(source, destination, service.channel), *settings_);
  ++started_;
  const std::uint32_t number = messages_.keep({delivered, service.acknowledged, stripes.count, 0});
  for (std::uint32_t stripe = 0; stripe < stripes.count; ++stripe) {
    const std::uint32_t route = route_of(source, destination, service.channel, stripe, stripes.priority);
    if (service.facts)
      service.facts->alone =
          std::max(service.facts->alone.value_or(Time()), stripe_alone(route, stripes.bytes(stripe)));
    start_stripe(route, stripes.bytes(stripe), number);
  }
}

Time SteadyStateTransport::stripe_alone(std::uint32_t route, std::uint64_t bytes) const {
  const auto hops_of = [&](const std::vector<LinkId>& links) {
    std::vector<LoneHop> hops(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
      const NetworkLink& link = graph_.link(links[i]);
      hops[i].add(bits_per_second(link), clock_.not_before(link.latency.ps()));
    }
    return hops;
  };
  const PacketRoutes& links = routes_[route].links.links;
  return Time::from_ps(time_alone(hops_of(links.data), hops_of(links.acks), *settings_, bytes));
}

// The last packet is under way for a while after the others have left the slowest link.
void SteadyStateTransport::start_stripe(std::uint32_t number, std::uint64_t bytes, std::uint32_t message) {
  Route& route = routes_[number];
  const std::uint64_t payload = settings_->sizes.payload, packets = (bytes - 1) / payload + 1;
  ++route.messages;
  route.packets += packets;
  route.data_bytes += bytes + packets * data_header_;
  const std::vector<LinkId>& data = route.links.links.data;
  const bool is_short = packets == 1 && !settings_->sizes.padded;
  const Stamp sending = static_cast<Stamp>(static_cast<double>(bytes) / route.bytes_per_ns * 1000);
  const Stamp under_way =
      is_short ? latency(data, bytes + data_header_) - sending : route.links.latency - route.slowest;
  messages_[message].back = std::max(messages_[message].back, route.back);
  flows_.start(number, Bytes(bytes), 0, std::max<Stamp>(under_way, 0),
               Event{handler_, stripe_arrived, 0, message, 0});
}

void SteadyStateTransport::handle(const Event& event) {
  if (event.what == acknowledged) {
    const Message message = messages_.take(event.object);
    if (settings_->ends_when_acknowledged) loop_.at(loop_.now(), message.delivered);
    if (message.acknowledged) loop_.at(loop_.now(), *message.acknowledged);
    return;
  }
  Message& message = messages_[event.object];
  if (--message.stripes > 0) return;
  if (!settings_->ends_when_acknowledged) loop_.at(loop_.now(), message.delivered);
  loop_.after(message.back, Event{handler_, acknowledged, 0, event.object, 0});
}

std::string SteadyStateTransport::shortcuts() const {
  return fmt::format(
      "{} trials by packets, at whose rates {} messages flowed; queues, pauses, marks and losses are not "
      "known",
      trials(), started_);
}

std::vector<LinkUse> SteadyStateTransport::links(Time) const {
  std::vector<LinkLoad> loads(graph_.links());
  for (const Route& route : routes_) {
    for (const LinkId link : route.links.links.data)
      loads[link.index()] += {Bytes(route.data_bytes), route.messages};
    for (const LinkId link : route.links.links.acks)
      loads[link.index()].bytes += Bytes(route.packets * ack_bytes_);
  }
  std::vector<LinkUse> uses;
  for (const LinkId id : graph_.all_links()) {
    const std::uint64_t bytes = loads[id.index()].bytes.count();
    if (bytes == 0) continue;
    const NetworkLink& link = graph_.link(id);
    uses.push_back({graph_.node(link.from).name, graph_.node(link.to).name, 0, 1, loads[id.index()],
                    Time::from_ps(clock_.transmission(bytes, bits_per_second(link)))});
  }
  std::ranges::stable_sort(uses, [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

}  // namespace orrery::core
