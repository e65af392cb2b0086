#include "network/packet/switches/packet_switches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery::core {

PacketSwitches::PacketSwitches(const Topology& topology, const PacketSettings& settings, PacketLinks& links,
                               const RouteTable& routes)
    : graph_(*topology.graph),
      settings_(settings),
      links_(links),
      routes_(routes),
      flow_control_(settings.flow_control->make({graph_, topology.link_changes.get(), settings, links})),
      forks_(packet_routing(topology, settings), settings, topology.route_seed, links),
      trims_(settings.flow_control->trims),
      watches_queues_(settings.buffer.queue > 0 || trims_),
      writes_into_packets_(settings.ecn.on),
      header_bytes_(
          settings.sizes.header(settings.congestion.kind ? settings.congestion.kind->header_bytes : 0)) {
  if (!settings.ecn.on) return;
  for (const LinkId id : graph_.all_links())
    if (!links.port(id).is_nic) set_thresholds(links.port(id));
}

void PacketSwitches::set_thresholds(PacketPort& port) const {
  for (const EcnThresholds& of_rate : settings_.ecn.thresholds)
    if (of_rate.rate == port.rate || settings_.ecn.scaled) port.ecn = of_rate;
  if (port.ecn.rate == 0)
    throw InputError(settings_.ecn.where,
                     fmt::format("no thresholds for marks are given for links of {} bit/s, such as the one "
                                 "from {} to {}: add that rate to the maps KMIN_MAP, KMAX_MAP and PMAX_MAP",
                                 port.rate, graph_.node(port.node).name, graph_.node(port.peer).name));
  port.ecn.min_bytes = product_over(port.ecn.min_bytes, port.rate, port.ecn.rate);
  port.ecn.max_bytes = product_over(port.ecn.max_bytes, port.rate, port.ecn.rate);
}

void PacketSwitches::forward(LinkId entry_port, PacketId number) {
  Packet& packet = links_.packets()[number];
  LinkId exit = routes_[packet.route++];
  if (RouteTable::is_fork(exit)) exit = choose_exit(packet, exit);
  if (watches_queues_) [[unlikely]]
    return forward_watched(entry_port, number, exit);
  PacketPort& port = links_.port(exit);
  const int priority = packet.priority;
  const std::uint32_t bytes = packet.bytes;  // flow control may move the packets in memory
  const bool at_once = goes_at_once(port, priority);
  const bool passes = at_once && priority != 0 && flow_control_.pass(port.node, entry_port, packet);
  if (!passes && priority != 0 && !flow_control_.admit(port.node, entry_port, packet)) {
    links_.lose(exit, number);
    return;
  }
  // Most packets find the port free, and need no queue. A pause that the packet brought about may be on its
  // route out of the port now.
  if (at_once && (passes || goes_at_once(port, priority))) {
    port.longest_queue.rise_to(bytes);
    port.queues.pass(priority);
    if (!passes)
      leave(exit, number);
    else if (writes_into_packets_)
      write_into(exit, number);
    links_.send(exit, number);
    return;
  }
  put(port, number);
  links_.kick(exit);
}

void PacketSwitches::forward_watched(LinkId entry, PacketId number, LinkId exit) {
  if (trims_) return forward_or_trim(entry, number, exit);
  const Packet& packet = links_.packets()[number];
  PacketPort& port = links_.port(exit);
  if (packet.priority != 0 && (!has_room(port, packet) || !flow_control_.admit(port.node, entry, packet))) {
    links_.lose(exit, number);
    return;
  }
  put(port, number);
  links_.trace(PacketTracer::What::queued, exit, links_.packets()[number]);
  links_.kick(exit);
}

bool PacketSwitches::has_room(const PacketPort& port, const Packet& packet) const {
  return settings_.buffer.queue == 0 ||
         port.queues.bytes(packet.priority) + packet.bytes <= settings_.buffer.queue;
}

// Chance decides whether the packet that comes or the last one that waits is trimmed, so that flows which
// come in step are treated alike. Headers have a queue as long as that of data; if it is full, they are lost.
void PacketSwitches::forward_or_trim(LinkId entry, PacketId number, LinkId exit) {
  Packet& packet = links_.packets()[number];
  PacketPort& port = links_.port(exit);
  TrimmingControl& trimming = *flow_control_.trimming();
  trimming.admit(port.node, entry, packet);
  if (packet.kind == PacketKind::data && !has_room(port, packet)) {
    if (port.queues.waits(packet.priority) && links_.random().next() % 2 == 0) {
      port.wait_from(links_.now(), packet.bytes);
      port.queues.exchange_last(links_.packets(), number);
      port.wait_until(links_.now(), packet.bytes);
    }
    trim(trimming, port.node, packet);
    ++port.trims;
  }
  if (packet.kind != PacketKind::data && !has_room(port, packet)) {
    trimming.release(port.node, packet.entered_by, packet);
    links_.lose(exit, number);
    return;
  }
  put(port, number);
  links_.trace(PacketTracer::What::queued, exit, links_.packets()[number]);
  links_.kick(exit);
}

void PacketSwitches::trim(TrimmingControl& trimming, NodeId node, Packet& packet) const {
  trimming.release(node, packet.entered_by, packet);
  packet.kind = PacketKind::header;
  packet.bytes = header_bytes_;
  packet.priority = 0;
  trimming.admit(node, packet.entered_by, packet);
}

bool PacketSwitches::goes_at_once(const PacketPort& port, int priority) const {
  return !port.queues.any_waits() && !port.queues.is_paused(priority) && !port.is_nic && !port.has_lanes &&
         links_.is_free(port);
}

LinkId PacketSwitches::choose_exit(Packet& packet, LinkId fork) {
  const RouteTable::Branch& branch = forks_.choose(RouteTable::fork_number(fork), routes_, packet);
  packet.route = branch.next;
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
  if (links_.packets()[packet].entered_by != LinkId::none) {
    links_.port(id).wait_until(links_.now(), links_.packets()[packet].bytes);
    leave(id, packet);
  }
  links_.send(id, packet);
}

// A packet that came in by a port leaves the buffer by another.
void PacketSwitches::leave(LinkId id, PacketId number) {
  if (writes_into_packets_) write_into(id, number);
  const Packet& packet = links_.packets()[number];
  flow_control_.release(links_.port(id).node, packet.entered_by, packet);
}

void PacketSwitches::write_into(LinkId id, PacketId number) {
  PacketPort& port = links_.port(id);
  Packet& packet = links_.packets()[number];
  if (settings_.ecn.on && !port.is_nic) mark(id, packet);
  if (telemetry_ && packet.kind == PacketKind::data)
    telemetry_->write(id, port, packet, links_.packets().telemetry(number), links_.now());
}

void PacketSwitches::mark(LinkId id, Packet& packet) {
  PacketPort& port = links_.port(id);
  const std::uint64_t behind = port.queues.bytes(packet.priority);
  const EcnThresholds& ecn = port.ecn;
  if (behind <= ecn.min_bytes) return;
  if (!flow_control_.is_root_of_congestion(id, packet.priority)) return;
  if (behind <= ecn.max_bytes) {
    const double share =
        static_cast<double>(behind - ecn.min_bytes) / static_cast<double>(ecn.max_bytes - ecn.min_bytes);
    if (links_.random().fraction() >= ecn.probability * share) return;
  }
  // An acknowledgement keeps the mark that it reports.
  if (packet.kind == PacketKind::data) packet.marked = true;
  ++port.marks;
  ++links_.totals().marks;
}

}  // namespace orrery::core
