// Queue pairs send, receive and acknowledge here.
#include <algorithm>

#include "network/packet/hosts/packet_hosts.hpp"

namespace orrery::core {

void PacketHosts::send_data(LinkId id, QueuePair& pair) {
  Sender& sender = pair.sender;
  Packet packet;
  packet.sent = links_.now();
  packet.queue_pair = sender.number;
  packet.route = pair.data_route + 1;  // the NIC is at the first link
  const QueuePair::Piece piece = pair.again.bytes > 0 ? pair.again : pair.take_new(settings_.sizes.payload);
  packet.sequence = piece.first;
  packet.payload = piece.bytes;
  if (pair.note_sent(piece)) links_.count_resent(id, piece.bytes);
  if (tracks_packets_) reliability_->send(pair, packet);
  if (writes_more_) [[unlikely]]
    write_more(sender, packet);
  const PacketSizes& sizes = settings_.sizes;
  packet.bytes = sizes.data(packet.payload, telemetry_bytes_);
  packet.priority = pair.priority;
  ++pair.under_way;
  ++links_.totals().data;
  if (links_.port(id).has_lanes) switches_.flow_control().sent(id, packet);
  links_.send(id, links_.packets().make(packet));
  sender.last_bytes = packet.bytes;
  sender.next_send = links_.now() + links_.clock().transmission(
                                        packet.bytes, settings_.rate_bound ? sender.rate : sender.line_rate);
}

void PacketHosts::write_more(Sender& sender, Packet& packet) {
  if (grants_) grants_->send(sender, packet);
  if (labels_) packet.label = labels_->next(sender);
}

void PacketHosts::receive(LinkId port, PacketId number) {
  if (links_.port(port).has_lanes) switches_.flow_control().take_at_once(port, links_.packets()[number]);
  const PacketKind kind = links_.packets()[number].kind;
  if (kind == PacketKind::data)
    receive_data(port, number);
  else if (kind <= PacketKind::nack)
    control_cores_.exist() ? pass_to_core(number) : receive_ack(number);
  else
    receive_of_grants(number);
}

// A header says which packet has lost its payload. Requests and grants do nothing else.
void PacketHosts::receive_of_grants(PacketId number) {
  const Packet packet = links_.packets()[number];
  QueuePair& pair = pairs_[packet.queue_pair];
  if (packet.kind == PacketKind::pull) {
    grants_->learn(pair.sender, packet);
    pair.timeouts = 0;
    watch(pair);
    links_.kick(pair.port);
  } else if (grants_) {
    grants_->arrive(pair, packet);
  }
  if (packet.kind == PacketKind::header) return answer(pair, number, PacketKind::nack);
  links_.packets().drop(number);
  gone(packet.queue_pair);
}

void PacketHosts::receive_data(LinkId port, PacketId number) {
  const Packet packet = links_.packets()[number];
  QueuePair& pair = pairs_[packet.queue_pair];
  slow_nics_.receive(port, packet.priority);
  const std::uint64_t before = pair.expected;
  const std::optional<PacketKind> kind = reliability_->receive(pair, packet, links_.now());
  if (pair.expected > before) {
    links_.totals().delivered_bytes += pair.expected - before;
    ends_.deliver(pair);
  }
  if (grants_) [[unlikely]]
    grants_->arrive(pair, packet);
  if (kind) return answer(pair, number, *kind);
  links_.packets().drop(number);
  gone(packet.queue_pair);
}

// The packet goes back as the acknowledgement, with its telemetry.
void PacketHosts::answer(QueuePair& pair, PacketId number, PacketKind kind) {
  const LinkId port = routes_[pair.ack_route];
  Packet& packet = links_.packets()[number];
  packet.kind = kind;
  packet.payload =
      packet.sequence > pair.expected ? static_cast<std::uint32_t>(packet.sequence - pair.expected) : 0;
  packet.sequence = pair.expected;
  packet.bytes = settings_.sizes.ack(telemetry_bytes_);
  packet.route = pair.ack_route + 1;
  packet.priority = links_.port(port).answer_priority(pair.priority, trims_, settings_.one_queue_of_answers);
  packet.entered_by = LinkId::none;
  if (grants_) [[unlikely]]
    packet.credit = grants_->granted(pair.sender);
  ++(kind == PacketKind::ack ? links_.totals().acks : links_.totals().nacks);
  links_.port(port).queues.push(links_.packets(), number);
  links_.kick(port);
}

// The NIC notes when the acknowledgement has come, so the round trip does not count what the core adds.
void PacketHosts::pass_to_core(PacketId number) {
  Packet& packet = links_.packets()[number];
  const Stamp through = control_cores_.work(pairs_[packet.queue_pair].source, links_.now());
  packet.sent += through - links_.now();
  links_.push(through, PacketHappening::core_is_through, number);
}

void PacketHosts::receive_ack(PacketId number) {
  const Packet packet = links_.packets()[number];
  QueuePair& pair = pairs_[packet.queue_pair];
  Sender& sender = pair.sender;
  const std::uint64_t before = sender.acknowledged;
  const bool found_loss = reliability_->take_answer(pair, packet);
  if (grants_) [[unlikely]] {
    grants_->learn(sender, packet);
    if (packet.kind == PacketKind::nack && labels_ && settings_.congestion.kind->grants->avoids_labels)
      labels_->avoid(sender, packet.label);
    if (!pair.is_finished()) watch(pair);
  }
  if (sender.acknowledged > before) {
    progress_ = true;
    pair.timeouts = 0;
    if (settings_.reliability.timeouts) pair.measure_rtt(links_.now() - packet.sent);
    ends_.acknowledge(pair);
    if (!pair.ended) watch(pair);
  }
  if (pair.message_end <= sender.sent) pair.find_message_end();
  if (control_ && !pair.ended) {
    if (found_loss) control_->lost(sender, links_.now());
    control_rate(pair, number);
  }
  const LinkId port = pair.port;
  links_.packets().drop(number);
  gone(packet.queue_pair);
  links_.kick(port);
}

// A NIC that waits for the time at which a flow may send wakes up earlier if that time has become earlier.
void PacketHosts::control_rate(QueuePair& pair, PacketId number) {
  const Packet& packet = links_.packets()[number];
  Sender& sender = pair.sender;
  const Stamp now = links_.now(), before = sender.next_send;
  const bool has_telemetry = packet.hops > 0 && packet.hops <= max_hops;
  control_->acknowledged(sender,
                         {packet.sequence, packet.marked, now - packet.sent, packet.hops,
                          has_telemetry ? &links_.packets().telemetry(number) : nullptr},
                         now);
  if (sender.next_send != before) turns_.look_earlier(pair);
}

}  // namespace orrery::core
