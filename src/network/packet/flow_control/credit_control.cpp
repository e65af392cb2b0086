#include "network/packet/flow_control/credit_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/flow_control/largest_packet.hpp"

namespace orrery::core {
namespace {

std::uint64_t blocks_of_largest(const PacketSettings& settings) {
  return (largest_packet(settings) + credit_block - 1) / credit_block;
}

void require_room_for_packet(const PacketSettings& settings) {
  const std::uint64_t buffer = settings.credits.buffer, packet = blocks_of_largest(settings);
  if (buffer / credit_block >= packet) return;
  throw InputError(settings.place_or_none("credits.buffer"),
                   fmt::format("a lane has a buffer of {} bytes, and a packet takes {} of it, in blocks of "
                               "{}: make the buffer larger, or packets smaller",
                               buffer, packet * credit_block, credit_block));
}

}  // namespace

CreditControl::CreditControl(const FlowControlParts& parts)
    : links_(parts.links),
      tables_(parts.settings.credits),
      buffer_(parts.settings.credits.buffer / credit_block),
      largest_(blocks_of_largest(parts.settings)),
      ports_(parts.graph.links()),
      nodes_(parts.graph.nodes()) {
  require_room_for_packet(parts.settings);
  for (const LinkId id : parts.graph.all_links()) {
    links_.port(id).has_lanes = true;
    for (SendingLane& lane : ports_[id.index()].sending) lane.fccl = lane.freely = buffer_;
    for (ReceivingLane& lane : ports_[id.index()].receiving) lane.fccl = buffer_;
  }
}

// The sender may not have been told yet of room that has become free, as long as it had enough.
bool CreditControl::admit(NodeId node, LinkId entry, const Packet& packet) {
  count(node, entry, packet);
  tell_if_due(entry, packet.priority);
  return true;
}

void CreditControl::count(NodeId number, LinkId entry, const Packet& packet) {
  ReceivingLane& lane = of_receiver(entry, packet.priority);
  const std::uint64_t blocks = blocks_of(packet.bytes);
  lane.abr += blocks;
  lane.in_use += blocks;
  Node& node = nodes_[number.index()];
  node.blocks += blocks;
  node.max_blocks.rise_to(node.blocks);
}

// A host that has stopped keeps what has arrived in its buffer.
void CreditControl::take_at_once(LinkId entry, const Packet& packet) {
  const NodeId node = links_.port(entry).node;
  count(node, entry, packet);
  ReceivingLane& lane = of_receiver(entry, packet.priority);
  if (lane.is_stopped)
    lane.kept += blocks_of(packet.bytes);
  else
    release(node, entry, packet);
}

void CreditControl::let_sender_go_on(LinkId port, int number) {
  ReceivingLane& lane = of_receiver(port, number);
  lane.is_stopped = false;
  free(port, number, std::exchange(lane.kept, 0));
}

void CreditControl::free(LinkId entry, int number, std::uint64_t blocks) {
  of_receiver(entry, number).in_use -= blocks;
  nodes_[links_.port(entry).node.index()].blocks -= blocks;
  tell_if_due(entry, number);
}

// The sender is told when a quarter of the buffer has become free, and when what it knows of may not suffice
// for a packet.
void CreditControl::tell_if_due(LinkId entry, int number) {
  const ReceivingLane& lane = of_receiver(entry, number);
  const std::uint64_t fccl = lane.abr + buffer_ - lane.in_use, more = fccl - lane.fccl;
  if (more > 0 && (more >= buffer_ / 4 || lane.fccl - lane.abr < largest_)) tell(entry, number);
}

void CreditControl::tell(LinkId entry, int number) {
  ReceivingLane& lane = of_receiver(entry, number);
  lane.fccl = lane.abr + buffer_ - lane.in_use;
  links_.ask(entry, PacketKind::credits, number, lane.fccl);
}

// A broken link loses all that is sent into it, and that needs no room.
bool CreditControl::fits(LinkId port, int number, std::uint64_t blocks) const {
  const SendingLane& lane = of_sender(port, number);
  return lane.fctbs + blocks <= lane.fccl || links_.port(port).broken;
}

PacketId CreditControl::next(LinkId port) {
  EgressQueues& queues = links_.port(port).queues;
  if (queues.waits(0)) return queues.take(links_.packets(), 0);
  const unsigned ready = ready_lanes(port);
  return ready == 0 ? no_packet : take(port, choose_lane(port, ready));
}

unsigned CreditControl::ready_lanes(LinkId id) {
  const EgressQueues& queues = links_.port(id).queues;
  unsigned ready = 0;
  for (unsigned waiting = queues.waiting() & ~1u; waiting != 0; waiting &= waiting - 1) {
    const int lane = std::countr_zero(waiting);
    const bool goes = fits(id, lane, blocks_of(links_.packets()[queues.first(lane)].bytes));
    if (goes) ready |= 1u << lane;
    note_hold(id, lane, !goes);
  }
  return ready;
}

unsigned CreditControl::flow_lanes(LinkId id, unsigned lanes) const {
  unsigned open = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    if (const int lane = std::countr_zero(lanes); fits(id, lane, largest_)) open |= 1u << lane;
  return open;
}

PacketId CreditControl::take(LinkId port, int lane) {
  const PacketId packet = links_.port(port).queues.take(links_.packets(), lane);
  sent(port, links_.packets()[packet]);
  return packet;
}

// The queue pairs of a NIC wait until a full packet may go.
void CreditControl::sent(LinkId id, const Packet& packet) {
  PacketPort& port = links_.port(id);
  const std::uint64_t blocks = blocks_of(packet.bytes);
  ports_[id.index()].arbiter.sent(tables_, blocks);
  if (port.broken) return;
  SendingLane& lane = ports_[id.index()].sending[packet.priority];
  lane.fctbs += blocks;
  lane.freely += blocks;
  if (!port.is_nic || fits(id, packet.priority, largest_)) return;
  port.queues.pause(packet.priority);
  note_hold(id, packet.priority, true);
}

// Both ends have the same knowledge of what has been sent and of what may be sent.
bool CreditControl::is_held(LinkId id, int number) const {
  const PacketPort& port = links_.port(id);
  const SendingLane& lane = of_sender(id, number);
  const ReceivingLane& other_end = of_receiver(port.reverse, number);
  const std::uint64_t needed =
      port.queues.waits(number) ? blocks_of(links_.packets()[port.queues.first(number)].bytes) : largest_;
  return !fits(id, number, needed) && lane.fctbs == other_end.abr && lane.fccl == other_end.fccl;
}

void CreditControl::obey(LinkId id, const Packet& message) {
  PacketPort& port = links_.port(id);
  const auto lane = static_cast<int>(message.payload);
  SendingLane& sending = ports_[id.index()].sending[message.payload];
  sending.fccl = std::max(sending.fccl, message.sequence);
  if (fits(id, lane, largest_)) {
    port.queues.resume(lane);
    note_hold(id, lane, false);
  }
  links_.kick(id);
}

void CreditControl::note_hold(LinkId id, int lane, bool is_held) {
  HoldTimer& holds = links_.port(id).holds;
  if (!is_held) return holds.end(lane, links_.now());
  ports_[id.index()].sending[static_cast<std::size_t>(lane)].freely = 0;
  holds.begin(lane, links_.now());
}

// The link has lost what the other end was told while it was broken, so it is told again.
void CreditControl::link_changed(LinkId id) {
  PacketPort& port = links_.port(id);
  for (int lane = 1; lane <= max_lanes; ++lane) {
    port.queues.resume(lane);
    note_hold(id, lane, false);
    if (port.broken) continue;
    if (port.is_nic && !fits(id, lane, largest_)) {
      port.queues.pause(lane);
      note_hold(id, lane, true);
    }
    tell(id, lane);
  }
}

const FlowControlKind credit_flow_control{
    .name = "credits",
    .lanes = true,
    .held_as = "lacks credits",
    .check = [](const Topology&, const PacketSettings& settings,
                Warnings&) { require_room_for_packet(settings); },
    .make = [](const FlowControlParts& parts) -> FlowControl { return CreditControl(parts); }};

}  // namespace orrery::core
