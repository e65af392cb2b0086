// NICs of hosts.
#include <algorithm>

#include "network/packet/packet_hosts.hpp"

namespace orrery {
namespace {

// Returns the lanes that have a flow which may send, a bit each.
unsigned lanes_of_flows(const Nic& nic, QueuePairs& pairs, bool follows_rate, Stamp now) {
  unsigned lanes = 0;
  for (const std::uint32_t flow : nic.flows) {
    const QueuePair& pair = pairs[flow];
    if (pair.may_send(follows_rate) && pair.sender.next_send <= now) lanes |= 1u << pair.priority;
  }
  return lanes;
}

}  // namespace

void PacketHosts::transmit(LinkId id) {
  if (send_answer(id)) return;
  PacketPort& port = links_.port(id);
  if (port.has_lanes) return transmit_lane(id);
  // A host that forwards sends packets of others and its own by turns.
  if (port.forwards) {
    port.passed_on = !port.passed_on && switches_.transmit(id);
    if (port.passed_on) return;
  }
  const int place = next_flow(id, port.queues.paused());
  if (place >= 0) {
    Nic& nic = nics_[id];
    nic.last = static_cast<std::size_t>(place);
    send_data(id, pairs_[nic.flows[nic.last]]);
    return;
  }
  port.passed_on = port.forwards && switches_.transmit(id);
  if (!port.passed_on) plan_wake(id);
}

// Lanes take turns. In a lane what waits in its queue, such as acknowledgements, and the flows take turns.
void PacketHosts::transmit_lane(LinkId id) {
  PacketPort& port = links_.port(id);
  Nic& nic = nics_[id];
  const unsigned queued = switches_.flow_control().ready_lanes(id);
  const unsigned flows =
      lanes_of_flows(nic, pairs_, settings_.window.follows_rate, links_.now()) & ~port.queues.paused();
  if ((queued | flows) == 0) return plan_wake(id);
  const int lane = switches_.flow_control().choose_lane(id, queued | flows);
  const bool has_queued = (queued >> lane & 1) != 0, has_flow = (flows >> lane & 1) != 0;
  port.passed_on = has_queued && !(port.passed_on && has_flow);
  if (port.passed_on) return switches_.transmit(id, lane);
  nic.last = static_cast<std::size_t>(next_flow(id, ~(1u << lane)));
  send_data(id, pairs_[nic.flows[nic.last]]);
}

// Messages of flow control go first, and then acknowledgements, unless these have to pause.
bool PacketHosts::send_answer(LinkId id) {
  PacketPort& port = links_.port(id);
  if (!port.queues.waits(0)) return false;
  const int ack_priority = settings_.urgent_acks ? 0 : settings_.priority;
  if (!port.forwards && !port.has_lanes && port.queues.is_paused(ack_priority) &&
      (settings_.answers_hold_pauses || !is_for_link(links_.packets()[port.queues.first(0)].kind)))
    return false;
  const PacketId number = port.queues.take(links_.packets(), 0);
  Packet& packet = links_.packets()[number];
  if (packet.kind == PacketKind::ack || packet.kind == PacketKind::nack)  // in switches it goes like data
    packet.priority = pairs_[packet.queue_pair].priority;
  links_.send(id, number);
  return true;
}

// Returns the place of the flow whose turn it is; none: -1. Flows that have ended leave the list when the
// search passes one of them.
int PacketHosts::next_flow(LinkId id, unsigned held) {
  Nic& nic = nics_[id];
  const std::size_t count = nic.flows.size();
  std::size_t first_ended = count;
  int found = -1;
  std::size_t place = nic.last;
  for (std::size_t i = 1; i <= count; ++i) {
    if (++place >= count) place %= count;  // a division for every flow would take long
    const QueuePair& pair = pairs_[nic.flows[place]];
    if ((held >> pair.priority & 1) == 0 && pair.may_send(settings_.window.follows_rate)) {
      if (pair.sender.next_send > links_.now()) continue;
      found = static_cast<int>(place);
      break;
    }
    if (pair.is_finished()) first_ended = std::min(first_ended, place);
  }
  if (first_ended < count) remove_finished(nic, first_ended, found);
  links_.port(id).has_flows = !nic.flows.empty();
  return found;
}

// `found` is the place of a flow, which may change.
void PacketHosts::remove_finished(Nic& nic, std::size_t from, int& found) {
  std::size_t to = from;
  for (std::size_t place = from; place < nic.flows.size(); ++place) {
    QueuePair& pair = pairs_[nic.flows[place]];
    if (pair.is_finished()) {
      pair.listed = false;
      pairs_.release(pair);
      continue;
    }
    if (static_cast<int>(place) == found) found = static_cast<int>(to);
    nic.flows[to++] = nic.flows[place];
  }
  nic.flows.resize(to);
}

// Nothing can be sent now: the NIC looks again when the first of its flows may send, if that time is still to
// come.
void PacketHosts::plan_wake(LinkId id) {
  Nic& nic = nics_[id];
  if (nic.wakes && settings_.wakes_for_all_flows) return;
  Stamp first = PacketEvents::never;
  for (const std::uint32_t flow : nic.flows)
    if (settings_.wakes_for_all_flows || pairs_[flow].may_send(settings_.window.follows_rate))
      first = std::min(first, pairs_[flow].sender.next_send);
  if (first <= links_.now() || first == PacketEvents::never || (nic.wakes && nic.wakes_at <= first)) return;
  nic.wakes = true;
  nic.wakes_at = first;
  links_.push(first, PacketHappening::nic_wakes, id, ++nic.wake);
}

}  // namespace orrery
