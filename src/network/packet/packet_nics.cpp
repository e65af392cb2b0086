// NICs of hosts.
#include "network/packet/packet_hosts.hpp"

namespace orrery {

void PacketHosts::transmit(LinkId id) {
  if (send_answer(id)) return;
  PacketPort& port = links_.port(id);
  if (port.has_lanes) return transmit_lane(id);
  // A host that forwards takes turns between packets of others and its own.
  if (port.forwards) {
    port.passed_on = !port.passed_on && switches_.transmit(id);
    if (port.passed_on) return;
  }
  if (QueuePair* const pair = turns_.next(id, port.queues.paused())) return send_data(id, *pair);
  port.passed_on = port.forwards && switches_.transmit(id);
  if (!port.passed_on) turns_.plan_wake(id);
}

// Lanes take turns. Within a lane, the packets in its queue, such as acknowledgements, take turns with the
// flows.
void PacketHosts::transmit_lane(LinkId id) {
  PacketPort& port = links_.port(id);
  const unsigned queued = switches_.flow_control().ready_lanes(id);
  const unsigned flows = turns_.lanes(id) & ~port.queues.paused();
  if ((queued | flows) == 0) return turns_.plan_wake(id);
  const int lane = switches_.flow_control().choose_lane(id, queued | flows);
  const bool has_queued = (queued >> lane & 1) != 0, has_flow = (flows >> lane & 1) != 0;
  port.passed_on = has_queued && !(port.passed_on && has_flow);
  if (port.passed_on) return switches_.transmit(id, lane);
  send_data(id, *turns_.next(id, ~(1u << lane)));
}

// Messages of flow control go first, and then acknowledgements, unless these have to pause.
bool PacketHosts::send_answer(LinkId id) {
  PacketPort& port = links_.port(id);
  if (!port.queues.waits(0)) return false;
  const int ack_priority = settings_.urgent_acks ? 0 : settings_.priority;
  if (!port.forwards && !port.has_lanes && port.queues.is_paused(ack_priority) &&
      (settings_.answers_hold_pauses || !is_for_link(links_.packets()[port.queues.first(0)].kind)))
    return false;
  if (trims_) [[unlikely]] {
    switches_.transmit(id, 0);
    return true;
  }
  const PacketId number = port.queues.take(links_.packets(), 0);
  Packet& packet = links_.packets()[number];
  if (!is_for_link(packet.kind))  // in switches it goes like data
    packet.priority = pairs_[packet.queue_pair].priority;
  links_.send(id, number);
  return true;
}

}  // namespace orrery
