#include "network/packet/packet_switches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery {

PacketSwitches::PacketSwitches(const Topology& topology, const PacketSettings& settings, PacketLinks& links,
                               const StoredWays& ways)
    : graph_(*topology.graph),
      settings_(settings),
      links_(links),
      ways_(ways),
      flow_control_(settings.flow_control->make({graph_, settings, links})),
      forks_(packet_routing(topology, settings), settings, links),
      watches_queues_(settings.buffer.queue > 0) {
  if (!settings.ecn.on) return;
  for (LinkId id = 0; id < graph_.links(); ++id)
    if (!links.port(id).is_nic) set_thresholds(links.port(id));
}

void PacketSwitches::set_thresholds(PacketPort& port) const {
  for (const EcnThresholds& of_rate : settings_.ecn.thresholds)
    if (of_rate.rate == port.rate || settings_.ecn.scaled) port.ecn = of_rate;
  if (port.ecn.rate == 0)
    throw InputError({},
                     fmt::format("no thresholds for marks are given for links of {} bit/s, such as the one "
                                 "from {} to {}: add that rate to the maps",
                                 port.rate, graph_.node(port.node).name, graph_.node(port.peer).name));
  port.ecn.least_bytes = product_over(port.ecn.least_bytes, port.rate, port.ecn.rate);
  port.ecn.most_bytes = product_over(port.ecn.most_bytes, port.rate, port.ecn.rate);
}

void PacketSwitches::forward(LinkId entry_port, PacketId number) {
  Packet& packet = links_.packets()[number];
  LinkId exit = ways_[packet.way++];
  if (StoredWays::is_fork(exit)) exit = choose_exit(packet, exit);
  if (watches_queues_) [[unlikely]]
    return forward_watched(entry_port, number, exit);
  PacketPort& port = links_.port(exit);
  const int priority = packet.priority;
  const std::uint32_t bytes = packet.bytes;  // flow control may move the packets
  if (priority != 0 && !flow_control_.admit(port.node, entry_port, packet)) {
    links_.lose(exit, number);
    return;
  }
  if (goes_at_once(port, priority)) {
    port.longest_queue.rise_to(bytes);
    port.queues.pass(priority);
    leave(exit, number);
    links_.send(exit, number);
    return;
  }
  put(port, number);
  links_.kick(exit);
}

void PacketSwitches::forward_watched(LinkId entry, PacketId number, LinkId exit) {
  const Packet& packet = links_.packets()[number];
  PacketPort& port = links_.port(exit);
  const bool overflows = settings_.buffer.queue > 0 &&
                         port.queues.bytes(packet.priority) + packet.bytes > settings_.buffer.queue;
  if (packet.priority != 0 && (overflows || !flow_control_.admit(port.node, entry, packet))) {
    links_.lose(exit, number);
    return;
  }
  put(port, number);
  links_.trace(PacketTracer::What::queued, exit, links_.packets()[number]);
  links_.kick(exit);
}

// Most packets find nobody before them, and need no queue.
bool PacketSwitches::goes_at_once(const PacketPort& port, int priority) const {
  return !port.queues.any_waits() && !port.queues.is_paused(priority) && !port.is_nic && !port.has_lanes &&
         links_.is_free(port);
}

LinkId PacketSwitches::choose_exit(Packet& packet, LinkId fork) {
  const StoredWays::Branch& branch = forks_.choose(StoredWays::fork_number(fork), ways_, packet.queue_pair);
  packet.way = branch.next;
  return branch.link;
}

void PacketSwitches::obey(LinkId entry, PacketId number) {
  const Packet message = links_.packets()[number];
  links_.trace(PacketTracer::What::received, entry, message);
  links_.packets().drop(number);
  flow_control_.obey(entry, message);
}

bool PacketSwitches::transmit(LinkId id) {
  const PacketId packet = flow_control_.next(id);
  if (packet == no_packet) return false;
  pass_on(id, packet);
  return true;
}

void PacketSwitches::pass_on(LinkId id, PacketId packet) {
  if (links_.packets()[packet].entered_by != NetworkGraph::no_link) leave(id, packet);
  links_.send(id, packet);
}

// A packet that came in by a port leaves the buffer by another.
void PacketSwitches::leave(LinkId id, PacketId number) {
  PacketPort& port = links_.port(id);
  Packet& packet = links_.packets()[number];
  const bool is_data = packet.kind == PacketKind::data;
  if (settings_.ecn.on && !port.is_nic) mark(id, packet);
  flow_control_.release(port.node, packet.entered_by, packet);
  if (telemetry_ && is_data) {  // a message of flow control may have moved the packets
    PacketPool& packets = links_.packets();
    telemetry_->write(id, port, packets[number], packets.telemetry(number), links_.now());
  }
}

void PacketSwitches::mark(LinkId id, Packet& packet) {
  PacketPort& port = links_.port(id);
  const std::uint64_t behind = port.queues.bytes(packet.priority);
  const EcnThresholds& ecn = port.ecn;
  if (behind <= ecn.least_bytes) return;
  if (!flow_control_.is_root_of_congestion(id, packet.priority)) return;
  if (behind <= ecn.most_bytes) {
    const double share =
        static_cast<double>(behind - ecn.least_bytes) / static_cast<double>(ecn.most_bytes - ecn.least_bytes);
    if (links_.random().fraction() >= ecn.probability * share) return;
  }
  if (packet.kind == PacketKind::data) packet.marked = true;  // what an acknowledgement says stands
  ++port.marks;
  ++links_.totals().marks;
}

}  // namespace orrery
