#include "network/packet/flow_control/pause_control.hpp"

#include <bit>

#include "network/packet/flow_control/flow_control_kinds.hpp"
#include "network/packet/flow_control/headroom.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

PauseControl::PauseControl(const FlowControlParts& parts, bool pauses)
    : links_(parts.links),
      counts_priorities_together_(parts.settings.buffer.pause_above > 0),
      replaces_requests_(!parts.settings.one_queue_of_answers),
      entries_(parts.graph.links()),
      buffers_(parts.graph.nodes()) {
  const Headroom headroom(parts.graph, parts.changes, parts.settings);
  require_room(parts.graph, headroom, parts.settings);
  const std::span<const LinkId> first = parts.graph.links_from(NodeId(0));
  const std::uint64_t host_rate = first.empty() ? 0 : links_.port(first[0]).rate;
  for (const LinkId port : first_ids<LinkId>(entries_.size())) {
    entries_[port.index()].headroom = static_cast<std::uint32_t>(headroom.of(port));
    entries_[port.index()].shift =
        shift_of_port(links_.port(port).rate, host_rate, parts.settings.buffer.alpha_shift);
  }
  const SharedBufferSettings& settings = parts.settings.buffer;
  for (const NodeId node : parts.graph.all_nodes()) {
    const std::uint64_t bytes = headroom.buffer_of(node);
    buffers_[node.index()] = SharedBuffer(bytes, static_cast<std::uint32_t>(bytes - headroom.set_aside(node)),
                                          settings, parts.settings.sizes.payload, pauses);
  }
}

// What has been asked about a priority and has not left yet is replaced, so that a pause never has to wait
// for many requests.
void PauseControl::tell(LinkId entry, PacketKind what, int priority) {
  if (!replaces_requests_ || !links_.replace_request(entry, what, priority))
    links_.ask(entry, what, priority);
}

void PauseControl::pause(LinkId entry, int priority) {
  entries_[entry.index()].paused |= 1u << priority;
  tell(entry, PacketKind::pause, priority);
}

// Where priorities count together, those may go on that have nothing left that could leave.
void PauseControl::resume_some(NodeId node, LinkId entry, int priority) {
  const IngressUse& use = entries_[entry.index()];
  for (unsigned paused = use.paused & held_by(priority); paused != 0; paused &= paused - 1)
    if (const int one = std::countr_zero(paused); buffers_[node.index()].should_resume(use, one))
      resume(entry, one);
}

void PauseControl::resume(LinkId entry, int priority) {
  entries_[entry.index()].paused &= ~(1u << priority);
  tell(entry, PacketKind::resume, priority);
}

// A node that pauses a sender forgets that when it asks the sender to go on, although the request may take a
// while to get there.
bool PauseControl::is_held(LinkId id, int priority) const {
  const PacketPort& port = links_.port(id);
  return port.queues.is_paused(priority) && (entries_[port.reverse.index()].paused >> priority & 1) != 0 &&
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

// Pauses end where a link breaks, as nobody could take them back. When it works again, those are due that its
// other end still needs.
void PauseControl::link_changed(LinkId id) {
  PacketPort& port = links_.port(id);
  const unsigned paused = port.broken ? 0 : entries_[port.reverse.index()].paused;
  for (int priority = 0; priority < priorities; ++priority)
    if ((paused >> priority & 1) != 0) {
      port.queues.pause(priority);
      port.holds.begin(priority, links_.now());
    } else {
      port.queues.resume(priority);
      port.holds.end(priority, links_.now());
    }
}

namespace {

void check(const Topology& topology, const PacketSettings& settings, Warnings& warnings) {
  const Headroom headroom(*topology.graph, topology.link_changes.get(), settings);
  require_room(*topology.graph, headroom, settings);
  if (!settings.flow_control->loses) warn_of_losses(*topology.graph, headroom, settings, warnings);
}

}  // namespace

const FlowControlKind pause_flow_control{
    .name = "pauses",
    .held_as = "is paused",
    .check = check,
    .make = [](const FlowControlParts& parts) -> FlowControl { return PauseControl(parts, true); }};

const FlowControlKind no_flow_control{
    .name = "none", .loses = true, .check = check, .make = [](const FlowControlParts& parts) -> FlowControl {
      return PauseControl(parts, false);
    }};

}  // namespace orrery::core
