#include "network/packet/engine/packet_network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/link_rates.hpp"

namespace orrery::core {

PacketNetwork::PacketNetwork(const Topology& topology, const PacketSettings& settings,
                             PacketListener& listener, std::unique_ptr<RouteSelector> routes)
    : topology_(topology),
      graph_(*topology.graph),
      settings_(settings),
      listener_(listener),
      links_(graph_, settings, *this),
      switches_(topology, settings, links_, routes_),
      hosts_(topology, settings, links_, switches_, routes_, listener,
             routes ? std::move(routes) : make_route_selector(topology, settings)) {
  constexpr std::size_t of_caches = 1 << 20;  // bytes that are near to a core, about
  fetches_ahead_ = graph_.links() * sizeof(PacketPort) > of_caches;
  if (topology.link_changes) changes_ = topology.link_changes->list;
  plan_change();
}

inline void PacketNetwork::take_in(PacketId number) {
  const Packet& packet = links_.packets()[number];
  if (routes_[packet.route] == LinkId::none)
    hosts_.receive(packet.entered_by, number);
  else
    switches_.forward(packet.entered_by, number);
}

inline void PacketNetwork::arrive(LinkId link, PacketId number) {
  const Packet& packet = links_.packets()[number];
  if (is_for_link(packet.kind))
    switches_.obey(packet.entered_by, number);
  else if (links_.watches_arrivals()) [[unlikely]]
    arrive_watched(link, number);
  else
    take_in(number);
}

bool PacketNetwork::run(Stamp limit) {
  limit_ = limit;
  while (links_.next() < limit_) {
    if (--events_until_look_ == 0) [[unlikely]]
      look_for_idleness();
    const PacketEvent event = take();
    if (event.what() == static_cast<std::uint32_t>(PacketHappening::arrives))
      arrive(LinkId(event.object), event.extra);
    else
      handle(event);
  }
  return limit_ != stopped;
}

void PacketNetwork::look_for_idleness() {
  constexpr std::uint64_t max_idle_events = 100'000'000;
  events_until_look_ = events_between_looks;
  listener_.works();
  idle_events_ = hosts_.take_progress() ? 0 : idle_events_ + events_between_looks;
  if (idle_events_ >= max_idle_events) report_idleness();
}

// Takes the next event, and tells the processor to fetch the memory that the events soon after it need. An
// event of a packet comes first, because it says which port it needs.
PacketEvent PacketNetwork::take() {
  if (!fetches_ahead_) return links_.take();
  constexpr std::uint32_t far = 4, near = 2;
  if (const PacketId packet = links_.arriving(far); packet != no_packet) links_.packets().fetch(packet);
  if (const PacketId packet = links_.arriving(near); packet != no_packet) {
    const LinkId exit = routes_[links_.packets()[packet].route];
    if (exit != LinkId::none && !RouteTable::is_fork(exit)) links_.port(exit).fetch();
  }
  return links_.take();
}

void PacketNetwork::report_idleness() const {
  throw StallError(fmt::format("at {:.12g} us packets go on, but none brings a flow further",
                               Time::from_ps(links_.now()).us()),
                   stall());
}

// Links that will change may still end a deadlock.
void PacketNetwork::look_for_deadlock() {
  constexpr Stamp gap = 1'000'000'000;
  if (links_.now() < next_look_ || next_change_ < changes_.size()) return;
  next_look_ = links_.now() + gap;
  if (const std::vector<std::string> lines = explain_deadlock(parts_of_stall()); !lines.empty())
    throw StallError(
        fmt::format("at {:.12g} us packets cannot go on any more", Time::from_ps(links_.now()).us()), lines);
}

void PacketNetwork::handle(const PacketEvent& event) {
  switch (static_cast<PacketHappening>(event.what())) {
    case PacketHappening::is_free:
      links_.port(LinkId(event.object)).free_is_coming = false;
      return transmit(LinkId(event.object));
    case PacketHappening::links_change:
      return change_links();
    case PacketHappening::deadline:
      if (hosts_.pass_deadline(event.object, event.extra)) look_for_deadlock();
      return;
    default:
      return hosts_.handle(static_cast<PacketHappening>(event.what()), event);
  }
}

void PacketNetwork::transmit(LinkId port) {
  if (links_.port(port).is_nic || links_.port(port).has_flows)  // switches that add up have flows, too
    hosts_.transmit(port);
  else
    switches_.transmit(port);
}

void PacketNetwork::arrive_watched(LinkId link, PacketId number) {
  const Packet& packet = links_.packets()[number];
  const LinkId entry = packet.entered_by;
  if (links_.is_lost(link)) {
    if (links_.port(entry).has_lanes) switches_.flow_control().take_at_once(entry, packet);
    links_.lose(link, number);
    return;
  }
  links_.trace(PacketTracer::What::received, entry, packet);
  take_in(number);
}

Time PacketNetwork::time_alone(std::uint32_t queue_pair, std::uint64_t bytes) {
  const QueuePair& pair = hosts_.pairs()[queue_pair];
  return Time::from_ps(
      orrery::core::time_alone(lone_hops(pair.data_route), lone_hops(pair.ack_route), settings_, bytes));
}

const std::vector<LoneHop>& PacketNetwork::lone_hops(std::uint32_t route) {
  const auto [known, is_new] = lone_hops_.try_emplace(route);
  if (!is_new) return known->second;
  for (const std::vector<LinkId>& links : routes_.hops(route)) {
    LoneHop& hop = known->second.emplace_back();
    for (const LinkId link : links)
      hop.add(links_.ports()[link.index()].rate, links_.ports()[link.index()].delay);
  }
  return known->second;
}

void PacketNetwork::plan_change() {
  if (next_change_ < changes_.size())
    links_.push(links_.clock().not_before(changes_[next_change_].at.ps()), PacketHappening::links_change, 0);
}

// Data that are sent into a broken link are lost, and flows look for their routes again.
void PacketNetwork::change_links() {
  if (!has_change_due()) return;
  for (; has_change_due(); ++next_change_) change(changes_[next_change_].link, changes_[next_change_].share);
  lone_hops_.clear();
  hosts_.find_routes_again();
  plan_change();
}

void PacketNetwork::change(LinkId id, double share) {
  PacketPort& port = links_.port(id);
  const bool was_broken = port.broken;
  hosts_.pairs().set_share(id, share);
  links_.set_broken(id, share == 0);
  if (!port.broken)
    port.set_rate(std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(static_cast<double>(bits_per_second(graph_.link(id))) * share)));
  if (port.broken != was_broken) switches_.flow_control().link_changed(id);
  links_.kick(id);
}

}  // namespace orrery::core
