#include "network/packet/links/packet_links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/link_rates.hpp"

namespace orrery::core {

PacketLinks::PacketLinks(const NetworkGraph& graph, const PacketSettings& settings, PacketNodes& nodes)
    : settings_(settings),
      nodes_(nodes),
      clock_(settings.whole_nanoseconds),
      packets_(settings.congestion.kind && settings.congestion.kind->telemetry),
      random_(settings.seed),
      ports_(graph.links()) {
  for (const LinkId id : graph.all_links()) {
    const NetworkLink& link = graph.link(id);
    PacketPort& port = ports_[id.index()];
    port.node = link.from;
    port.peer = link.to;
    port.reverse = graph.reverse(id);
    port.is_nic = graph.is_npu(link.from);
    port.forwards = graph.node(link.from).forwards;
    port.set_rate(bits_per_second(link));
    port.delay = clock_.not_before(link.latency.ps());
    port.loss = link.loss > 0 ? link.loss : settings.loss;
    any_loss_ = any_loss_ || port.loss > 0;
  }
  watches_arrivals_ = any_loss_;
}

// First the transmitter becomes free, then the packet arrives.
void PacketLinks::send(LinkId id, PacketId number) {
  PacketPort& port = ports_[id.index()];
  Packet& packet = packets_[number];
  packet.entered_by = port.reverse;
  const std::uint32_t bytes = packet.bytes;
  const Stamp time = port.transmission(bytes, clock_);
  port.free_at = now_ + time;
  port.free_order = next_order_++;
  ++port.packets;
  port.bytes += bytes;
  port.busy += time;
  if (port.queues.any_waits() || port.has_flows) {
    port.free_is_coming = true;
    events_.push(port.free_at, marked(port.free_order, PacketHappening::is_free), id.value(), 0);
  }
  if (port.unusual) [[unlikely]]
    return leave_unusually(id, number);
  push(port.free_at + port.delay, PacketHappening::arrives, id.value(), number);
}

void PacketLinks::leave_unusually(LinkId id, PacketId number) {
  trace(PacketTracer::What::sent, id, packets_[number]);
  const PacketPort& port = ports_[id.index()];
  if (port.broken)
    lose(id, number);
  else
    push(port.free_at + port.delay, PacketHappening::arrives, id.value(), number);
}

void PacketLinks::set_tracer(PacketTracer& tracer, const std::vector<NodeId>& nodes) {
  tracer_ = &tracer;
  watches_arrivals_ = true;
  for (PacketPort& port : ports_)
    if (std::ranges::find(nodes, port.node) != nodes.end()) port.traced = port.unusual = true;
}

void PacketLinks::set_broken(LinkId link, bool broken) {
  PacketPort& port = ports_[link.index()];
  port.broken = broken;
  port.unusual = broken || port.traced;
}

void PacketLinks::ask(LinkId id, PacketKind what, int priority, std::uint64_t sequence) {
  Packet packet;
  packet.kind = what;
  packet.sequence = sequence;
  packet.payload = static_cast<std::uint32_t>(priority);
  packet.bytes = what == PacketKind::credits ? settings_.sizes.credits : settings_.sizes.pause;
  PacketPort& port = ports_[id.index()];
  const PacketId number = packets_.make(packet);
  if (port.is_nic && !settings_.one_queue_of_answers)
    port.queues.push_ahead(packets_, number);
  else
    port.queues.push(packets_, number);
  if (what == PacketKind::pause) ++totals_.pauses;
  kick(id);
}

bool PacketLinks::replace_request(LinkId id, PacketKind what, int priority) {
  const EgressQueues& queues = ports_[id.index()].queues;
  if (!queues.waits(0)) return false;
  for (PacketId at = queues.first(0); at != no_packet && is_for_link(packets_[at].kind);
       at = packets_[at].next) {
    if (packets_[at].payload != static_cast<std::uint32_t>(priority)) continue;
    if (what == PacketKind::pause && packets_[at].kind != what) ++totals_.pauses;
    packets_[at].kind = what;
    return true;
  }
  return false;
}

void PacketLinks::lose(LinkId id, PacketId number) {
  const PacketKind kind = packets_[number].kind;
  const std::uint32_t queue_pair = packets_[number].queue_pair;
  trace(PacketTracer::What::dropped, id, packets_[number]);
  packets_.drop(number);
  if (is_for_link(kind)) return;
  ++ports_[id.index()].drops;
  ++totals_.drops;
  nodes_.lost(queue_pair);
}

}  // namespace orrery::core
