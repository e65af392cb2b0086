// Priority flow control (IEEE 802.1Qbb): a switch makes those pause that send it more than its buffer should
// hold (docs/models/network-packet.md, Shared buffers). Without pauses it loses packets for which it has no
// room.
#pragma once

#include <optional>
#include <vector>

#include "network/packet/flow_control/flow_control_parts.hpp"
#include "network/packet/flow_control/shared_buffer.hpp"

namespace orrery::core {

// FlowControl says what the functions are for.
class PauseControl {
 public:
  // Keeps references. Throws InputError where a buffer is too small.
  PauseControl(const FlowControlParts& parts, bool pauses);

  bool admit(NodeId node, LinkId entry_port, const Packet& packet) {
    IngressUse& entry = entries_[entry_port.index()];
    SharedBuffer& buffer = buffers_[node.index()];
    const int priority = packet.priority;
    if (!buffer.admit(entry, priority, packet.bytes)) return false;
    if (buffer.should_pause(entry, priority)) pause(entry_port, priority);
    return true;
  }
  bool pass(NodeId node, LinkId entry_port, const Packet& packet) {
    return buffers_[node.index()].pass(entries_[entry_port.index()], packet.priority, packet.bytes);
  }
  void release(NodeId node, LinkId entry_port, const Packet& packet) {
    IngressUse& entry = entries_[entry_port.index()];
    SharedBuffer& buffer = buffers_[node.index()];
    const int priority = packet.priority;
    buffer.release(entry, priority, packet.bytes);
    if (entry.paused != 0) [[unlikely]]
      resume_some(node, entry_port, priority);
  }
  void take_at_once(LinkId, const Packet&) {}

  PacketId next(LinkId port) { return links_.port(port).queues.pop(links_.packets()); }
  unsigned ready_lanes(LinkId) const { return 0; }
  unsigned flow_lanes(LinkId, unsigned) const { return 0; }
  int choose_lane(LinkId, unsigned) const { return 0; }
  PacketId take(LinkId port, int lane) { return links_.port(port).queues.take(links_.packets(), lane); }
  void sent(LinkId, const Packet&) {}
  bool is_root_of_congestion(LinkId, int) const { return true; }

  bool is_held(LinkId port, int priority) const;
  unsigned held_by(int priority) const { return counts_priorities_together_ ? ~0u : 1u << priority; }

  void obey(LinkId port, const Packet& message);
  void stop_sender(LinkId port, int priority) { tell(port, PacketKind::pause, priority); }
  void let_sender_go_on(LinkId port, int priority) { tell(port, PacketKind::resume, priority); }
  void link_changed(LinkId port);

  std::uint64_t bytes_in(NodeId node) const { return buffers_[node.index()].in_use(); }
  std::uint64_t peak_of(NodeId node) const { return buffers_[node.index()].peak(); }
  std::uint64_t recent_peak_of(NodeId node) const { return buffers_[node.index()].recent_peak(); }
  std::uint64_t take_recent_peak(NodeId node) { return buffers_[node.index()].take_recent_peak(); }
  std::optional<std::uint64_t> shared_buffer(NodeId node) const { return buffers_[node.index()].bytes(); }

 private:
  void pause(LinkId entry, int priority);
  // Packets of the priority have left. Makes those senders go on for which there is room now.
  void resume_some(NodeId node, LinkId entry, int priority);
  void resume(LinkId entry, int priority);
  void tell(LinkId entry, PacketKind what, int priority);

  PacketLinks& links_;
  bool counts_priorities_together_;
  bool replaces_requests_;
  std::vector<IngressUse> entries_;    // by port through which packets come in
  std::vector<SharedBuffer> buffers_;  // by node
};

}  // namespace orrery::core
