#include "network/packet/hosts/packet_hosts.hpp"

#include <algorithm>

#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/reliability/reliability_kinds.hpp"

namespace orrery::core {

void MessageEnds::tell_acknowledged(QueuePair& pair) {
  while (const QueuePair::Message* const message = pair.take_acknowledged()) {
    if (settings_.ends_when_acknowledged) listener_.delivered(message->number, links_.now());
    listener_.acknowledged({message->number, pair.sender.number, pair.bytes_of(*message), message->resent},
                           links_.now());
  }
}

void MessageEnds::end(QueuePair& pair) {
  pair.ended = true;
  pairs_.add_load(pair, -static_cast<double>(pair.size));
  if (control_) control_->end(pair.sender);
}

// Messages that have arrived count as acknowledged, as no acknowledgement may come any more. What has not
// arrived in order is the rest of the others.
void MessageEnds::cut_off(QueuePair& pair) {
  Sender& sender = pair.sender;
  if (pair.delivered > 0)
    sender.acknowledged = std::max(sender.acknowledged, pair.messages[pair.delivered - 1].end);
  tell_acknowledged(pair);
  std::uint64_t first = std::max(pair.expected, sender.acknowledged);
  for (std::size_t i = pair.delivered; i < pair.messages.size(); ++i) {
    const QueuePair::Message& message = pair.messages[i];
    listener_.cut({message.number, pair.source, pair.destination, pair.channel, message.end - first},
                  links_.now());
    first = message.end;
  }
  pair.give_up();
  turns_.unlist(pair, pair.port);
  pair.listed = false;
  end(pair);
  pairs_.release(pair);
}

SlowNics::SlowNics(const NicPauseSettings& settings, PacketLinks& links, FlowControl& flow_control)
    : settings_(settings), links_(links), flow_control_(flow_control) {
  if (settings.times == 0) return;
  nics_.resize(links.ports().size());
  for (const LinkId port : first_ids<LinkId>(nics_.size())) {
    if (!links.port(port).is_nic) continue;
    const auto npu = static_cast<int>(links.port(port).node.value());
    if (settings.npus.empty() || std::ranges::find(settings.npus, npu) != settings.npus.end())
      nics_[port.index()].left = settings.times;
  }
}

void SlowNics::stop(LinkId port, int priority) {
  Nic& nic = nics_[port.index()];
  const Stamp now = links_.now();
  if (now < nic.next_stop) return;
  --nic.left;
  nic.next_stop = now + settings_.length_ps + settings_.gap_ps;
  links_.push(now + settings_.length_ps, PacketHappening::nic_resumes, port.value(),
              static_cast<std::uint32_t>(priority));
  flow_control_.stop_sender(port, priority);
}

Stamp ControlCores::work(int npu, Stamp now) {
  const auto place = static_cast<std::size_t>(npu);
  if (free_at_.size() <= place) free_at_.resize(place + 1, std::vector<Stamp>(settings_.control_cores));
  Stamp& free_at = *std::ranges::min_element(free_at_[place]);
  return free_at = std::max(now, free_at) + settings_.control_time_ps;
}

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
      slow_nics_(settings.nic_pauses, links, switches.flow_control()),
      control_cores_(settings.congestion) {
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
    case PacketHappening::core_is_through:
      return receive_ack(PacketId(event.object));
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

}  // namespace orrery::core
