// NICs of hosts.
#include <algorithm>

#include "network/packet/packet_hosts.hpp"

namespace orrery {

void PacketHosts::transmit(LinkId id) {
  if (send_answer(id)) return;
  // A host that forwards sends packets of others and its own by turns.
  PacketPort& port = links_.port(id);
  if (port.forwards) {
    port.passed_on = !port.passed_on && switches_.transmit(id);
    if (port.passed_on) return;
  }
  const int place = next_flow(id);
  if (place >= 0) {
    Nic& nic = nics_[id];
    nic.last = static_cast<std::size_t>(place);
    send_data(id, pairs_[nic.flows[nic.last]]);
    return;
  }
  port.passed_on = port.forwards && switches_.transmit(id);
  if (!port.passed_on) plan_wake(id);
}

// Acknowledgements go first, unless they have to pause.
bool PacketHosts::send_answer(LinkId id) {
  PacketPort& port = links_.port(id);
  const int ack_priority = settings_.urgent_acks ? 0 : settings_.priority;
  if (!port.queues.waits(0) || (!port.forwards && port.queues.is_paused(ack_priority))) return false;
  const PacketId number = port.queues.take(links_.packets(), 0);
  Packet& packet = links_.packets()[number];
  if (packet.kind == PacketKind::ack || packet.kind == PacketKind::nack)  // in switches it goes like data
    packet.priority = pairs_[packet.queue_pair].priority;
  links_.send(id, number);
  return true;
}

// Returns the place of the flow whose turn it is; none: -1. Flows that have ended leave the list when the
// search passes one of them.
int PacketHosts::next_flow(LinkId id) {
  Nic& nic = nics_[id];
  const EgressQueues& queues = links_.port(id).queues;
  const std::size_t count = nic.flows.size();
  std::size_t first_ended = count;
  int found = -1;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t place = (i + nic.last) % count;
    const QueuePair& pair = pairs_[nic.flows[place]];
    if (!queues.is_paused(pair.priority) && pair.may_send(settings_.window.follows_rate)) {
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

// A receiving NIC stops its switch for a while, as those do whose host is slow.
void PacketHosts::impose_pause(LinkId port, int priority) {
  Nic& nic = nics_[port];
  const Stamp now = links_.now();
  if (now < nic.next_pause) return;
  constexpr Stamp length = 10'000'000, gap = 1'000'000'000;
  --nic.pauses_left;
  nic.next_pause = now + length + gap;
  links_.push(now + length, PacketHappening::nic_resumes, port, static_cast<std::uint32_t>(priority));
  links_.ask(port, PacketKind::pause, priority);
}

}  // namespace orrery
