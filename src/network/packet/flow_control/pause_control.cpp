#include "network/packet/flow_control/pause_control.hpp"

#include <fmt/format.h>

#include <bit>

#include "base/diagnostics.hpp"
#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery {

PauseControl::PauseControl(const FlowControlParts& parts, bool pauses)
    : links_(parts.links),
      buffer_bytes_(parts.settings.buffer.bytes),
      counts_priorities_together_(parts.settings.buffer.pause_above > 0),
      entries_(parts.graph.links()),
      buffers_(parts.graph.nodes()) {
  const std::span<const LinkId> first = parts.graph.links_from(0);
  const std::uint64_t host_rate = first.empty() ? 0 : links_.port(first[0]).rate;
  for (NodeId node = 0; node < parts.graph.nodes(); ++node) make_buffer(parts, node, host_rate, pauses);
}

// A port has headroom for what arrives in three times the delay of its link. Ports that are faster than those
// of hosts may use a larger part of the pool.
void PauseControl::make_buffer(const FlowControlParts& parts, NodeId node, std::uint64_t host_rate,
                               bool pauses) {
  const SharedBufferSettings& settings = parts.settings.buffer;
  std::uint64_t set_aside = 0;
  for (const LinkId link : parts.graph.links_from(node)) {
    const PacketPort& port = links_.port(link);
    IngressUse& entry = entries_[link];
    constexpr std::uint64_t bit_ps_of_a_byte = 8'000'000'000'000;
    const std::uint64_t in_a_delay =
        product_over(port.rate, static_cast<std::uint64_t>(port.delay), bit_ps_of_a_byte);
    entry.headroom = pauses ? static_cast<std::uint32_t>(in_a_delay * 3) : 0;
    entry.shift = settings.alpha_shift;
    for (std::uint64_t rate = port.rate; rate > host_rate && host_rate > 0 && entry.shift > 0; rate /= 2)
      --entry.shift;
    set_aside += entry.headroom + settings.reserve;
  }
  const NetworkNode& of = parts.graph.node(node);
  if (set_aside >= settings.bytes && !settings.wraps && of.forwards)
    throw InputError({},
                     fmt::format("{} has a buffer of {} bytes, but its {} ports need {} as reserve and "
                                 "headroom alone: make the buffer larger",
                                 of.name, settings.bytes, parts.graph.links_from(node).size(), set_aside));
  buffers_[node] = SharedBuffer(static_cast<std::uint32_t>(settings.bytes - set_aside), settings,
                                parts.settings.sizes.payload, pauses);
}

void PauseControl::pause(LinkId entry, int priority) {
  entries_[entry].paused |= 1u << priority;
  links_.ask(entry, PacketKind::pause, priority);
}

// Where priorities count together, those may go on that have nothing left that could leave.
void PauseControl::resume_some(NodeId node, LinkId entry, int priority) {
  const IngressUse& use = entries_[entry];
  for (unsigned paused = use.paused & held_by(priority); paused != 0; paused &= paused - 1)
    if (const int one = std::countr_zero(paused); buffers_[node].should_resume(use, one)) resume(entry, one);
}

void PauseControl::resume(LinkId entry, int priority) {
  entries_[entry].paused &= ~(1u << priority);
  links_.ask(entry, PacketKind::resume, priority);
}

// A node that pauses a sender forgets that when it asks the sender to go on, although the request may take a
// while to get there.
bool PauseControl::is_held(LinkId id, int priority) const {
  const PacketPort& port = links_.port(id);
  return port.queues.is_paused(priority) && (entries_[port.reverse].paused >> priority & 1) != 0 &&
         links_.is_empty(id);
}

void PauseControl::obey(LinkId id, const Packet& message) {
  PacketPort& port = links_.port(id);
  const auto priority = static_cast<int>(message.payload);
  links_.note_obeyed(id, message.kind == PacketKind::pause);
  if (message.kind == PacketKind::pause) {
    port.queues.pause(priority);
    port.holds.begin(priority, links_.now());
    return;
  }
  port.queues.resume(priority);
  port.holds.end(priority, links_.now());
  links_.kick(id);
}

// Pauses end where a link breaks, as nobody could take them back.
void PauseControl::link_changed(LinkId id) {
  PacketPort& port = links_.port(id);
  for (int priority = 0; priority < priorities; ++priority) {
    port.queues.resume(priority);
    port.holds.end(priority, links_.now());
  }
  entries_[port.reverse].paused = 0;
}

const FlowControlKind pause_flow_control{
    .name = "pauses", .held_as = "is paused", .make = [](const FlowControlParts& parts) -> FlowControl {
      return PauseControl(parts, true);
    }};

const FlowControlKind no_flow_control{
    .name = "none", .loses = true, .make = [](const FlowControlParts& parts) -> FlowControl {
      return PauseControl(parts, false);
    }};

}  // namespace orrery
