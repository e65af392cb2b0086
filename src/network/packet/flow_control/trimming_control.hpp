// Switches of this kind cut off the payload of data for which a short queue has no room, and send the header
// on before everything else, so that the receiver knows at once what is missing (Handley et al.,
// "Re-architecting datacenter networks and stacks for low latency and high performance", SIGCOMM 2017).
#pragma once

#include <optional>
#include <vector>

#include "network/packet/flow_control/flow_control_parts.hpp"
#include "network/packet/high_water_mark.hpp"

namespace orrery::core {

// FlowControl says what the functions are for. PacketSwitches decides what is cut, where the queues are.
class TrimmingControl {
 public:
  // Keeps references.
  explicit TrimmingControl(const FlowControlParts& parts);

  bool pass(NodeId, LinkId, const Packet&) { return false; }
  bool admit(NodeId node, LinkId, const Packet& packet) {
    Node& of = nodes_[node.index()];
    of.bytes += packet.bytes;
    of.max_bytes.rise_to(of.bytes);
    return true;
  }
  void release(NodeId node, LinkId, const Packet& packet) { nodes_[node.index()].bytes -= packet.bytes; }
  void take_at_once(LinkId, const Packet&) {}

  // Headers and messages of receivers go first, but after ten of them a packet of data has its turn.
  // Otherwise nothing would get through where very many send to one.
  [[nodiscard]] PacketId next(LinkId port);
  unsigned ready_lanes(LinkId) const { return 0; }
  unsigned flow_lanes(LinkId, unsigned) const { return 0; }
  int choose_lane(LinkId, unsigned) const { return 0; }
  PacketId take(LinkId port, int lane) { return links_.port(port).queues.take(links_.packets(), lane); }
  void sent(LinkId, const Packet&) {}
  bool is_root_of_congestion(LinkId, int) const { return true; }

  bool is_held(LinkId, int) const { return false; }
  unsigned held_by(int lane) const { return 1u << lane; }

  void obey(LinkId, const Packet&) {}
  void stop_sender(LinkId, int) {}
  void let_sender_go_on(LinkId, int) {}
  void link_changed(LinkId) {}

  std::uint64_t bytes_in(NodeId node) const { return nodes_[node.index()].bytes; }
  std::uint64_t peak_of(NodeId node) const { return nodes_[node.index()].max_bytes.highest(); }
  std::uint64_t recent_peak_of(NodeId node) const { return nodes_[node.index()].max_bytes.recent(); }
  std::uint64_t take_recent_peak(NodeId node) {
    return nodes_[node.index()].max_bytes.take_recent(nodes_[node.index()].bytes);
  }
  std::optional<std::uint64_t> shared_buffer(NodeId) const { return std::nullopt; }

 private:
  static constexpr std::uint32_t headers_in_a_row = 10;

  struct Node {
    std::uint64_t bytes = 0;
    HighWaterMark max_bytes;
  };

  PacketLinks& links_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> headers_;  // headers that were sent one after the other, by port
};

}  // namespace orrery::core
