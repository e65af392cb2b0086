// NICs of hosts.
#include "network/packet/hosts/packet_hosts.hpp"

namespace orrery::core {

void PacketHosts::transmit(LinkId id) {
  if (send_first(id)) return;
  PacketPort& port = links_.port(id);
  if (port.has_lanes) return transmit_lane(id);
  // A node that forwards takes turns between what waits in its queues and what its own flows send. At others
  // only answers wait there, and go first.
  if (port.forwards) {
    port.passed_on = !port.passed_on && switches_.transmit(id);
    if (port.passed_on) return;
  } else if (!settings_.one_queue_of_answers && switches_.transmit(id)) {
    return;
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
  const unsigned flows = switches_.flow_control().flow_lanes(id, turns_.lanes(id));
  if ((queued | flows) == 0) return turns_.plan_wake(id);
  const int lane = switches_.flow_control().choose_lane(id, queued | flows);
  const bool has_queued = (queued >> lane & 1) != 0, has_flow = (flows >> lane & 1) != 0;
  port.passed_on = has_queued && !(port.passed_on && has_flow);
  if (port.passed_on) return switches_.transmit(id, lane);
  send_data(id, *turns_.next(id, ~(1u << lane)));
}

// What waits in the first queue goes first: messages of flow control, and where hosts have one queue for all
// answers these, unless they have to pause.
bool PacketHosts::send_first(LinkId id) {
  PacketPort& port = links_.port(id);
  if (!port.queues.waits(0)) return false;
  const int ack_priority = settings_.urgent_acks ? 0 : settings_.priority;
  if (settings_.one_queue_of_answers && !port.forwards && !port.has_lanes &&
      port.queues.is_paused(ack_priority))
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

}  // namespace orrery::core
