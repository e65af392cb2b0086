#include "network/packet/packet_switches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery {

PacketSwitches::PacketSwitches(const Topology& topology, const PacketSettings& settings, PacketLinks& links,
                               const StoredWays& ways)
    : graph_(*topology.graph),
      settings_(settings),
      links_(links),
      ways_(ways),
      forks_(packet_routing(topology, settings), settings, links),
      limits_queues_(settings.buffer.queue > 0),
      entries_(graph_.links()),
      buffers_(graph_.nodes()) {
  const std::uint64_t host_rate = graph_.links_from(0).empty() ? 0 : links.port(graph_.links_from(0)[0]).rate;
  for (NodeId node = 0; node < graph_.nodes(); ++node) make_buffer(node, host_rate);
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

// A port has headroom for what arrives in three times the delay of its link. Ports that are faster than those
// of hosts may use a larger part of the pool.
void PacketSwitches::make_buffer(NodeId node, std::uint64_t host_rate) {
  const SharedBufferSettings& settings = settings_.buffer;
  std::uint64_t set_aside = 0;
  for (const LinkId link : graph_.links_from(node)) {
    const PacketPort& port = links_.port(link);
    IngressUse& entry = entries_[link];
    constexpr std::uint64_t bit_ps_of_a_byte = 8'000'000'000'000;
    const std::uint64_t in_a_delay =
        product_over(port.rate, static_cast<std::uint64_t>(port.delay), bit_ps_of_a_byte);
    entry.headroom = settings.pfc ? static_cast<std::uint32_t>(in_a_delay * 3) : 0;
    entry.shift = settings.alpha_shift;
    for (std::uint64_t rate = port.rate; rate > host_rate && host_rate > 0 && entry.shift > 0; rate /= 2)
      --entry.shift;
    set_aside += entry.headroom + settings.reserve;
  }
  if (set_aside >= settings.bytes && !settings.wraps && graph_.node(node).forwards)
    throw InputError(
        {}, fmt::format("{} has a buffer of {} bytes, but its {} ports need {} as reserve and "
                        "headroom alone: make the buffer larger",
                        graph_.node(node).name, settings.bytes, graph_.links_from(node).size(), set_aside));
  buffers_[node] =
      SharedBuffer(static_cast<std::uint32_t>(settings.bytes - set_aside), settings, settings_.sizes.payload);
}

void PacketSwitches::forward(LinkId entry_port, PacketId number) {
  Packet& packet = links_.packets()[number];
  LinkId exit = ways_[packet.way++];
  if (StoredWays::is_fork(exit)) exit = choose_exit(packet, exit);
  PacketPort& port = links_.port(exit);
  const int priority = packet.priority;
  if (priority != 0) {
    IngressUse& entry = entries_[entry_port];
    SharedBuffer& buffer = buffers_[port.node];
    if ((limits_queues_ && port.queues.bytes(priority) + packet.bytes > settings_.buffer.queue) ||
        !buffer.admit(entry, priority, packet.bytes)) {
      links_.lose(exit, number);
      return;
    }
    if (buffer.should_pause(entry, priority)) {
      entry.paused |= 1u << priority;
      links_.ask(entry_port, PacketKind::pause, priority);
    }
  }
  port.queues.push(links_.packets(), number);
  port.longest_queue = std::max(port.longest_queue, port.queues.bytes());
  links_.kick(exit);
}

LinkId PacketSwitches::choose_exit(Packet& packet, LinkId fork) {
  const StoredWays::Branch& branch = forks_.choose(StoredWays::fork_number(fork), ways_, packet.queue_pair);
  packet.way = branch.next;
  return branch.link;
}

bool PacketSwitches::transmit(LinkId id) {
  const PacketId packet = links_.port(id).queues.pop(links_.packets());
  if (packet == no_packet) return false;
  if (links_.packets()[packet].entered_by != NetworkGraph::no_link) leave(id, packet);
  links_.send(id, packet);
  return true;
}

// A packet that came in by a port leaves the buffer by another.
void PacketSwitches::leave(LinkId id, PacketId number) {
  PacketPort& port = links_.port(id);
  Packet& packet = links_.packets()[number];
  const LinkId entry_port = packet.entered_by;
  const int priority = packet.priority;
  const bool is_data = packet.kind == PacketKind::data;
  IngressUse& entry = entries_[entry_port];
  SharedBuffer& buffer = buffers_[port.node];
  buffer.release(entry, priority, packet.bytes);
  if (settings_.ecn.on && !port.is_nic) mark(port, packet);
  if (buffer.should_resume(entry, priority)) {
    entry.paused &= ~(1u << priority);
    links_.ask(entry_port, PacketKind::resume, priority);
  }
  if (telemetry_ && is_data)
    telemetry_->write(id, port, packet, links_.packets().telemetry(number), links_.now());
}

void PacketSwitches::mark(PacketPort& port, Packet& packet) {
  const std::uint64_t behind = port.queues.bytes(packet.priority);
  const EcnThresholds& ecn = port.ecn;
  if (behind <= ecn.least_bytes) return;
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
