#include "network/packet/grants/packet_grants.hpp"

#include <algorithm>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"

namespace orrery::core {

PacketGrants::PacketGrants(const GrantRules& rules, const PacketSettings& settings, PacketLinks& links,
                           const RouteTable& routes, QueuePairs& pairs)
    : rules_(rules),
      settings_(settings),
      links_(links),
      routes_(routes),
      pairs_(pairs),
      data_bytes_(settings.sizes.data(settings.sizes.payload, settings.congestion.kind->header_bytes)),
      ports_(links.ports().size()) {}

// The window counts in packets from now on, and not in bytes that are under way.
void PacketGrants::begin(Sender& sender) {
  Flow& flow = flows_.begin(sender);
  flow.window = std::max<std::uint32_t>(1, packets_of(sender.window));
  flow.allowed = flow.granted = flow.window;
  sender.window = 0;
  look(sender, flow);
}

void PacketGrants::extend(QueuePair& pair, std::uint64_t bytes) {
  Flow& flow = flows_[pair.sender];
  flow.demand += packets_of(bytes);
  if (!pair.sender.has_credit) tell(pair, PacketKind::request);
}

void PacketGrants::send(Sender& sender, Packet& packet) {
  Flow& flow = flows_[sender];
  ++flow.sent;
  packet.credit = flow.demand;
  look(sender, flow);
}

void PacketGrants::learn(Sender& sender, const Packet& packet) {
  Flow& flow = flows_[sender];
  if (static_cast<std::int32_t>(packet.credit - flow.allowed) > 0) flow.allowed = packet.credit;
  look(sender, flow);
}

void PacketGrants::time_out(QueuePair& pair, std::uint64_t lost_bytes) {
  Flow& flow = flows_[pair.sender];
  flow.unasked += std::clamp<std::uint32_t>(packets_of(lost_bytes), 1, flow.window);
  look(pair.sender, flow);
}

void PacketGrants::arrive(QueuePair& pair, const Packet& packet) {
  Flow& flow = flows_[pair.sender];
  if (static_cast<std::int32_t>(packet.credit - flow.expected) > 0) flow.expected = packet.credit;
  if (packet.kind == PacketKind::request) {
    tell(pair, PacketKind::pull);
  } else {
    ++flow.arrived;
    if (packet.kind == PacketKind::header) ++flow.trimmed;
  }
  if (flow.listed || !has_more(pair)) return;
  flow.listed = true;
  ++pair.under_way;
  const LinkId port = routes_[pair.ack_route];
  ports_[port.index()].turns.push_back(pair.sender.number);
  plan(port);
}

void PacketGrants::plan(LinkId id) {
  Port& port = ports_[id.index()];
  if (port.planned || port.turns.empty()) return;
  port.planned = true;
  links_.push(std::max(links_.now(), port.next), PacketHappening::pull, id.value());
}

void PacketGrants::pull(LinkId id) {
  Port& port = ports_[id.index()];
  port.planned = false;
  bool granted = false;
  while (!granted && !port.turns.empty()) {
    QueuePair& pair = pairs_[port.turns.front()];
    port.turns.pop_front();
    granted = grant(pair, id);
    if (granted && has_more(pair)) {
      port.turns.push_back(pair.sender.number);
      continue;
    }
    flows_[pair.sender].listed = false;
    --pair.under_way;
    pairs_.release(pair);
  }
  plan(id);
}

bool PacketGrants::grant(QueuePair& pair, LinkId id) {
  if (!has_more(pair)) return false;
  Flow& flow = flows_[pair.sender];
  const std::uint32_t packets = std::min(rules_.packets_of_pull, grantable(flow) - flow.granted);
  flow.granted += packets;
  ports_[id.index()].next =
      links_.now() + packets * links_.clock().transmission(data_bytes_, links_.port(id).rate);
  tell(pair, PacketKind::pull);
  return true;
}

std::uint32_t PacketGrants::grantable(const Flow& flow) const {
  return std::min(flow.expected + flow.trimmed, flow.arrived + rules_.windows_ahead * flow.window);
}

bool PacketGrants::has_more(const QueuePair& pair) {
  const Flow& flow = flows_[pair.sender];
  return pair.expected<pair.size&& static_cast<std::int32_t>(grantable(flow) - flow.granted)> 0;
}

void PacketGrants::tell(QueuePair& pair, PacketKind kind) {
  const Flow& flow = flows_[pair.sender];
  const bool asks = kind == PacketKind::request;
  Packet packet;
  packet.kind = kind;
  packet.queue_pair = pair.sender.number;
  packet.sent = links_.now();
  packet.route = (asks ? pair.data_route : pair.ack_route) + 1;
  packet.bytes = settings_.sizes.ack(0);
  packet.label = static_cast<std::uint16_t>(flow.granted);
  packet.credit = asks ? flow.demand : flow.granted;
  packet.entered_by = LinkId::none;
  ++pair.under_way;
  const LinkId port = routes_[asks ? pair.data_route : pair.ack_route];
  packet.priority = links_.port(port).answer_priority(pair.priority, settings_.flow_control->trims,
                                                      settings_.one_queue_of_answers);
  links_.port(port).queues.push(links_.packets(), links_.packets().make(packet));
  links_.kick(port);
}

}  // namespace orrery::core
