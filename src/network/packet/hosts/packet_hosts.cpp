#include "network/packet/hosts/packet_hosts.hpp"

#include <algorithm>

#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"

namespace orrery {

PacketHosts::PacketHosts(const Topology& topology, const PacketSettings& settings, PacketLinks& links,
                         PacketSwitches& switches, RouteTable& routes, PacketListener& listener,
                         std::unique_ptr<RouteSelector> choice)
    : graph_(*topology.graph),
      settings_(settings),
      links_(links),
      switches_(switches),
      routes_(routes),
      pairs_(graph_, settings, links, routes, std::move(choice)),
      turns_(settings, links, pairs_),
      ends_(settings, links, pairs_, turns_, listener),
      trims_(settings.flow_control->trims),
      slow_nics_(settings.nic_pauses, links, switches.flow_control()) {
  const bool several_routes = packet_routing(topology, settings).choose != nullptr;
  const ReliabilityKind& reliability = reliability_of(settings, several_routes);
  tracks_packets_ = reliability.tracks_packets;
  reliability_ = reliability.make({settings_.reliability, settings_.sizes.payload, several_routes, trims_});
  if (packet_routing(topology, settings).labels) labels_ = std::make_unique<PacketLabels>(settings);
  writes_more_ = labels_ != nullptr;
  const CongestionKind* const kind = settings.congestion.kind;
  if (!kind) return;
  telemetry_bytes_ = kind->header_bytes;
  if (kind->grants) grants_ = std::make_unique<PacketGrants>(*kind->grants, settings, links, routes, pairs_);
  writes_more_ = writes_more_ || grants_;
  if (kind->make) {
    control_ =
        kind->make({settings_.congestion, links_.clock(), *this, settings_.sizes.payload, settings_.seed});
    switches_.set_telemetry(control_->telemetry());
    ends_.set_control(*control_);
  }
}

void PacketHosts::send(const PacketMessage& message) {
  if (const Stamp counted = links_.clock().not_before(links_.now()); counted > links_.now())
    links_.push(counted, PacketHappening::starts, late_starts_.keep(message));
  else
    start(message);
}

void PacketHosts::start(const PacketMessage& message) {
  const auto found = pairs_.pair_of(message);
  if (!found) return ends_.cut_off(message);
  const auto [number, is_new] = *found;
  QueuePair& pair = pairs_[number];
  if (is_new) {
    reliability_->begin(pair);
    if (control_) control_->begin(pair.sender);
    if (grants_) grants_->begin(pair.sender);
    if (labels_) labels_->begin(pair.sender);
  }
  pair.size += message.bytes;
  pairs_.add_load(pair, static_cast<double>(message.bytes));
  pair.messages.push_back({pair.size, message.number});
  if (pair.message_end == pair.sender.sent) pair.find_message_end();
  if (grants_) grants_->extend(pair, message.bytes);
  if (!pair.listed) turns_.list(pair);
  watch(pair);
  links_.kick(pair.port);
}

void PacketHosts::handle(PacketHappening what, const PacketEvent& event) {
  switch (what) {
    case PacketHappening::starts:
      return start(late_starts_.take(event.object));
    case PacketHappening::nic_wakes:
      if (turns_.wake(LinkId(event.object), event.extra)) links_.kick(LinkId(event.object));
      return;
    case PacketHappening::control_timer:
      return run_timer(event.object, event.extra);
    case PacketHappening::nic_resumes:
      return slow_nics_.go_on(LinkId(event.object), static_cast<int>(event.extra));
    case PacketHappening::pull:
      return grants_->pull(LinkId(event.object));
    default:
      return;  // of the network
  }
}

void PacketHosts::lost(std::uint32_t queue_pair) {
  QueuePair& pair = pairs_[queue_pair];
  pair.doubtful = std::max(pair.doubtful, pair.sent_once);
  gone(queue_pair);
}

void PacketHosts::gone(std::uint32_t queue_pair) {
  QueuePair& pair = pairs_[queue_pair];
  --pair.under_way;
  pairs_.release(pair);
}

void PacketHosts::find_routes_again() {
  const auto moved = [&](QueuePair& pair, LinkId before) {
    turns_.unlist(pair, before);
    turns_.list(pair);
    links_.kick(pair.port);
  };
  pairs_.find_routes_again(moved, [&](QueuePair& pair) { ends_.cut_off(pair); });
}

// The object of such an event is the number of a queue pair combined with the number of its timer.
void PacketHosts::set(const Sender& sender, std::uint8_t timer, Stamp at) {
  ++timers_left_;
  const std::uint32_t number = ++pairs_[sender.number].timers[timer];
  links_.push(at, PacketHappening::control_timer,
              sender.number * static_cast<std::uint32_t>(max_timers) + timer, number);
}

// If only timers are left, no acknowledgement will ever come.
void PacketHosts::run_timer(std::uint32_t object, std::uint32_t number) {
  --timers_left_;
  QueuePair& pair = pairs_[object / max_timers];
  const auto timer = static_cast<std::uint8_t>(object % max_timers);
  if (pair.timers[timer] != number || links_.events() == timers_left_) return;
  control_->timer(pair.sender, timer, links_.now());
}

}  // namespace orrery
