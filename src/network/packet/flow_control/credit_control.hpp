// Flow control by credits, as links of InfiniBand have it (InfiniBand Architecture, volume 1, section 7.9): a
// packet is sent when its lane has room for it in the buffer at the other end of the link. So nothing is ever
// lost for want of room, and a lane that waits fills the buffers behind it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "network/packet/flow_control/flow_control_parts.hpp"
#include "network/packet/flow_control/lane_arbiter.hpp"
#include "network/packet/high_water_mark.hpp"

namespace orrery::core {

// FlowControl says what the functions are for. A packet's priority is its lane.
class CreditControl {
 public:
  // Keeps references. Throws InputError where a buffer has no room for a packet.
  explicit CreditControl(const FlowControlParts& parts);

  bool admit(NodeId node, LinkId entry, const Packet& packet);
  bool pass(NodeId, LinkId, const Packet&) { return false; }
  void release(NodeId, LinkId entry, const Packet& packet) {
    free(entry, packet.priority, blocks_of(packet.bytes));
  }
  void take_at_once(LinkId entry, const Packet& packet);

  [[nodiscard]] PacketId next(LinkId port);
  unsigned ready_lanes(LinkId port);
  unsigned flow_lanes(LinkId port, unsigned lanes) const;
  int choose_lane(LinkId port, unsigned ready) { return ports_[port.index()].arbiter.choose(tables_, ready); }
  [[nodiscard]] PacketId take(LinkId port, int lane);
  void sent(LinkId port, const Packet& packet);
  // A lane that has to wait for credits is slow because of the lanes beyond it, and they are the root.
  bool is_root_of_congestion(LinkId port, int lane) const { return of_sender(port, lane).freely >= buffer_; }

  bool is_held(LinkId port, int lane) const;
  unsigned held_by(int lane) const { return 1u << lane; }

  void obey(LinkId port, const Packet& message);
  void stop_sender(LinkId port, int lane) { of_receiver(port, lane).is_stopped = true; }
  void let_sender_go_on(LinkId port, int lane);
  void link_changed(LinkId port);

  std::uint64_t bytes_in(NodeId node) const { return nodes_[node.index()].blocks * credit_block; }
  std::uint64_t peak_of(NodeId node) const {
    return nodes_[node.index()].max_blocks.highest() * credit_block;
  }
  std::uint64_t recent_peak_of(NodeId node) const {
    return nodes_[node.index()].max_blocks.recent() * credit_block;
  }
  std::uint64_t take_recent_peak(NodeId node) {
    return nodes_[node.index()].max_blocks.take_recent(nodes_[node.index()].blocks) * credit_block;
  }
  std::optional<std::uint64_t> shared_buffer(NodeId) const { return std::nullopt; }

 private:
  // All of these are numbers of blocks since the beginning of the run. The names are those of the standard.
  struct SendingLane {
    std::uint64_t fctbs = 0;   // sent
    std::uint64_t fccl = 0;    // blocks that may be sent, as the other end has said last
    std::uint64_t freely = 0;  // sent since the lane last had to wait for credits
  };
  struct ReceivingLane {
    std::uint64_t abr = 0;     // received
    std::uint64_t in_use = 0;  // blocks of its buffer in use
    std::uint64_t fccl = 0;    // blocks that the sender may send, as it has been told last
    std::uint64_t kept = 0;    // blocks in use that a host has not taken in, because it has stopped
    bool is_stopped = false;
  };
  struct Port {
    std::array<SendingLane, max_lanes + 1> sending;      // for the link that leaves here
    std::array<ReceivingLane, max_lanes + 1> receiving;  // for the link that comes in
    LaneArbiter arbiter;
  };
  struct Node {
    std::uint64_t blocks = 0;
    HighWaterMark max_blocks;
  };

  static std::uint64_t blocks_of(std::uint32_t bytes) { return (bytes + credit_block - 1) / credit_block; }
  ReceivingLane& of_receiver(LinkId port, int lane) {
    return ports_[port.index()].receiving[static_cast<std::size_t>(lane)];
  }
  const ReceivingLane& of_receiver(LinkId port, int lane) const {
    return ports_[port.index()].receiving[static_cast<std::size_t>(lane)];
  }
  const SendingLane& of_sender(LinkId port, int lane) const {
    return ports_[port.index()].sending[static_cast<std::size_t>(lane)];
  }
  bool fits(LinkId port, int lane, std::uint64_t blocks) const;
  // Notes whether a lane that has something to send is held up.
  void note_hold(LinkId port, int lane, bool is_held);
  // Counts a packet that has come in.
  void count(NodeId node, LinkId entry, const Packet& packet);
  void free(LinkId entry, int lane, std::uint64_t blocks);
  void tell_if_due(LinkId entry, int lane);
  void tell(LinkId entry, int lane);

  PacketLinks& links_;
  LaneTables tables_;
  std::uint64_t buffer_;   // blocks of a lane
  std::uint64_t largest_;  // blocks of a packet
  std::vector<Port> ports_;
  std::vector<Node> nodes_;
};

}  // namespace orrery::core
