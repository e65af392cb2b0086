#include "network/packet/steady/steady_packets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/engine/time_alone.hpp"
#include "network/packet/link_rates.hpp"
#include "network/packet/queue_pairs/message_stripes.hpp"

namespace orrery {
namespace {

constexpr std::uint32_t none = 0xffffffff;

}  // namespace

SteadyPackets::SteadyPackets(const Topology& topology, std::shared_ptr<const PacketSettings> settings,
                             EventLoop& loop)
    : settings_(std::move(settings)),
      graph_(*topology.graph),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      clock_(settings_->whole_nanoseconds),
      choice_(make_way_choice(topology, *settings_)),
      flows_(loop),
      shares_(topology, *settings_, flows_.flows()),
      resource_of_link_(graph_.links(), none) {
  flows_.flows().set_rates(shares_);
  const std::uint32_t telemetry = settings_->congestion.kind ? settings_->congestion.kind->header_bytes : 0;
  data_header_ = settings_->sizes.data_header + telemetry;
  ack_bytes_ = settings_->sizes.ack(telemetry);
}

std::uint32_t SteadyPackets::resource_of(LinkId link) {
  std::uint32_t& resource = resource_of_link_[link.index()];
  if (resource == none) resource = flows_.flows().add_resource(graph_.link(link).bandwidth.bytes_per_ns());
  return resource;
}

Stamp SteadyPackets::latency(const std::vector<LinkId>& links, std::uint64_t bytes) const {
  Stamp sum = 0;
  for (const LinkId id : links)
    sum += clock_.not_before(graph_.link(id).latency.ps()) +
           clock_.transmission(bytes, bits_per_second(graph_.link(id)));
  return sum;
}

// Data and acknowledgements take their parts of the links.
std::uint32_t SteadyPackets::add_way(SteadyWay links, FlowProgress::Order order) {
  Way& way = ways_.emplace_back();
  way.links = std::move(links);
  const std::uint64_t full = settings_->sizes.payload + data_header_;
  way.links.number = static_cast<std::uint32_t>(ways_.size() - 1);
  way.links.latency = latency(way.links.links.data, full);
  way.back = latency(way.links.links.acks, ack_bytes_);
  std::vector<FairShares::Use> uses;
  const auto payload = static_cast<double>(settings_->sizes.payload);
  for (const LinkId link : way.links.links.data) {
    uses.push_back({resource_of(link), static_cast<double>(full) / payload});
    way.slowest = std::max(way.slowest, clock_.transmission(full, bits_per_second(graph_.link(link))));
  }
  for (const LinkId link : way.links.links.acks)
    uses.push_back({resource_of(link), static_cast<double>(ack_bytes_) / payload});
  way.bytes_per_ns = payload / static_cast<double>(way.slowest) * 1000;
  shares_.add(way.links);
  return flows_.flows().add_way(uses, order);
}

std::uint32_t SteadyPackets::way_of(int source, int destination, Channel channel, std::uint32_t stripe,
                                    int priority) {
  const bool alone = channel.for_one || settings_->queue_pair_per_message;
  const std::tuple queue_pair{source, destination, channel.number, stripe, priority};
  if (const auto known = queue_pairs_.find(queue_pair); !alone && known != queue_pairs_.end())
    return known->second;
  SteadyWay links;
  links.links = *choice_->choose(source, destination, channel, stripe);  // links do not change
  links.facts = choice_->facts(source, destination, links.links);
  links.source = source;
  links.destination = destination;
  links.priority = priority;
  if (!alone) return queue_pairs_[queue_pair] = add_way(std::move(links), FlowProgress::Order::in_line);
  const auto [known, is_new] = shared_ways_.try_emplace({links.links.data, links.links.acks, priority}, none);
  if (is_new) known->second = add_way(std::move(links), FlowProgress::Order::together);
  return known->second;
}

void SteadyPackets::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                              const Event& delivered) {
  const MessageStripes stripes =
      stripes_of(service, bytes, choice_->stripes(source, destination, service.channel), *settings_);
  ++started_;
  const std::uint32_t number = messages_.keep({delivered, service.acknowledged, stripes.count, 0});
  for (std::uint32_t stripe = 0; stripe < stripes.count; ++stripe) {
    const std::uint32_t way = way_of(source, destination, service.channel, stripe, stripes.priority);
    if (service.facts)
      service.facts->alone =
          std::max(service.facts->alone.value_or(Time()), stripe_alone(way, stripes.bytes(stripe)));
    start_stripe(way, stripes.bytes(stripe), number);
  }
}

Time SteadyPackets::stripe_alone(std::uint32_t way, std::uint64_t bytes) const {
  const auto hops_of = [&](const std::vector<LinkId>& links) {
    std::vector<LoneHop> hops(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
      const NetworkLink& link = graph_.link(links[i]);
      hops[i].add(bits_per_second(link), clock_.not_before(link.latency.ps()));
    }
    return hops;
  };
  const PacketWays& links = ways_[way].links.links;
  return Time::from_ps(time_alone(hops_of(links.data), hops_of(links.acks), *settings_, bytes));
}

// The last packet is under way for a while after the others have left the slowest link.
void SteadyPackets::start_stripe(std::uint32_t number, std::uint64_t bytes, std::uint32_t message) {
  Way& way = ways_[number];
  const std::uint64_t payload = settings_->sizes.payload, packets = (bytes - 1) / payload + 1;
  ++way.messages;
  way.packets += packets;
  way.data_bytes += bytes + packets * data_header_;
  const std::vector<LinkId>& data = way.links.links.data;
  const bool is_short = packets == 1 && !settings_->sizes.padded;
  const Stamp sending = static_cast<Stamp>(static_cast<double>(bytes) / way.bytes_per_ns * 1000);
  const Stamp under_way =
      is_short ? latency(data, bytes + data_header_) - sending : way.links.latency - way.slowest;
  messages_[message].back = std::max(messages_[message].back, way.back);
  flows_.start(number, Bytes(bytes), 0, std::max<Stamp>(under_way, 0),
               Event{handler_, stripe_arrived, 0, message, 0});
}

void SteadyPackets::handle(const Event& event) {
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

std::string SteadyPackets::shortcuts() const {
  return fmt::format(
      "{} trials by packets, at whose rates {} messages flowed; queues, pauses, marks and losses are not "
      "known",
      trials(), started_);
}

std::vector<LinkUse> SteadyPackets::links(Time) const {
  std::vector<LinkLoad> loads(graph_.links());
  for (const Way& way : ways_) {
    for (const LinkId link : way.links.links.data)
      loads[link.index()] += {Bytes(way.data_bytes), way.messages};
    for (const LinkId link : way.links.links.acks)
      loads[link.index()].bytes += Bytes(way.packets * ack_bytes_);
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

}  // namespace orrery
