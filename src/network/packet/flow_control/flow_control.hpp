// Flow control decides what a link may send, so that the node at its other end has room for it. A new kind is
// a class with these functions in files of its own, its name in the variant below, and its FlowControlKind.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "network/packet/flow_control/credit_control.hpp"
#include "network/packet/flow_control/pause_control.hpp"
#include "network/packet/flow_control/trimming_control.hpp"

namespace orrery::core {

// There is no table of functions, because millions of packets per second come through here.
class FlowControl {
 private:
  using Kind = std::variant<PauseControl, CreditControl, TrimmingControl>;

  template <std::size_t index = 0, class AKind, class Function>
  static auto visit(AKind& kind, const Function& function) {
    if constexpr (index + 1 == std::variant_size_v<Kind>)
      return function(*std::get_if<index>(&kind));
    else if (kind.index() == index) [[likely]]
      return function(*std::get_if<index>(&kind));
    else
      return visit<index + 1>(kind, function);
  }

  Kind kind_;

 public:
  template <class OfKind>
  FlowControl(OfKind kind) : kind_(std::move(kind)) {}  // NOLINT: a kind is a flow control

  // A packet has come in by a port of a node that passes it on. Returns false where there is no room for it.
  bool admit(NodeId node, LinkId entry, const Packet& packet) {
    return visit(kind_, [&](auto& kind) { return kind.admit(node, entry, packet); });
  }
  // A packet has come in that leaves at once. Returns false where that may have consequences. Then admit()
  // and release() have to be told; otherwise they must not be.
  bool pass(NodeId node, LinkId entry, const Packet& packet) {
    return visit(kind_, [&](auto& kind) { return kind.pass(node, entry, packet); });
  }
  // Returns the control of switches that trim packets. Null: switches do not trim.
  TrimmingControl* trimming() { return std::get_if<TrimmingControl>(&kind_); }
  // The packet that came in there leaves by another port.
  void release(NodeId node, LinkId entry, const Packet& packet) {
    visit(kind_, [&](auto& kind) { kind.release(node, entry, packet); });
  }
  // A packet has come in that takes no room: its host takes it in, or it was lost on the way.
  void take_at_once(LinkId entry, const Packet& packet) {
    visit(kind_, [&](auto& kind) { kind.take_at_once(entry, packet); });
  }

  // Takes the next packet from the queues of a port. Returns none when everything that waits has to wait on.
  [[nodiscard]] PacketId next(LinkId port) {
    return visit(kind_, [&](auto& kind) { return kind.next(port); });
  }
  // The following functions are for ports whose lanes take turns, where more than the queues may have
  // something to send. Lanes are bits.
  unsigned ready_lanes(LinkId port) {  // lanes whose first packet may go
    return visit(kind_, [&](auto& kind) { return kind.ready_lanes(port); });
  }
  // Returns those of these lanes in which a flow that begins at the port may send a packet of any size.
  unsigned flow_lanes(LinkId port, unsigned lanes) const {
    return visit(kind_, [&](const auto& kind) { return kind.flow_lanes(port, lanes); });
  }
  int choose_lane(LinkId port, unsigned ready) {  // chooses one of them
    return visit(kind_, [&](auto& kind) { return kind.choose_lane(port, ready); });
  }
  [[nodiscard]] PacketId take(LinkId port, int lane) {  // takes its first packet
    return visit(kind_, [&](auto& kind) { return kind.take(port, lane); });
  }
  // A packet goes that was in no queue.
  void sent(LinkId port, const Packet& packet) {
    visit(kind_, [&](auto& kind) { kind.sent(port, packet); });
  }
  // Returns whether the port itself is too slow for what waits there, and not the ports beyond it, as far as
  // is known there.
  bool is_root_of_congestion(LinkId port, int priority) {
    return visit(kind_, [&](auto& kind) { return kind.is_root_of_congestion(port, priority); });
  }

  // Returns whether a lane of a port can send nothing until packets leave the node at the other end that came
  // in by this link, and all packets that were sent into the link are there.
  bool is_held(LinkId port, int lane) const {
    return visit(kind_, [&](const auto& kind) { return kind.is_held(port, lane); });
  }
  // Returns the lanes of these packets, a bit each.
  unsigned held_by(int lane) const {
    return visit(kind_, [&](const auto& kind) { return kind.held_by(lane); });
  }

  // A message of flow control has come in by a port.
  void obey(LinkId port, const Packet& message) {
    visit(kind_, [&](auto& kind) { kind.obey(port, message); });
  }
  // A host takes nothing in by a port for a while.
  void stop_sender(LinkId port, int priority) {
    visit(kind_, [&](auto& kind) { kind.stop_sender(port, priority); });
  }
  void let_sender_go_on(LinkId port, int priority) {
    visit(kind_, [&](auto& kind) { kind.let_sender_go_on(port, priority); });
  }
  // A link has broken or works again.
  void link_changed(LinkId port) {
    visit(kind_, [&](auto& kind) { kind.link_changed(port); });
  }

  // Returns the bytes of other nodes' packets that a node holds, and the most that it has held.
  std::uint64_t bytes_in(NodeId node) const {
    return visit(kind_, [&](const auto& kind) { return kind.bytes_in(node); });
  }
  std::uint64_t peak_of(NodeId node) const {
    return visit(kind_, [&](const auto& kind) { return kind.peak_of(node); });
  }
  // Returns the most bytes since take_recent_peak() was called last.
  std::uint64_t recent_peak_of(NodeId node) const {
    return visit(kind_, [&](const auto& kind) { return kind.recent_peak_of(node); });
  }
  std::uint64_t take_recent_peak(NodeId node) {
    return visit(kind_, [&](auto& kind) { return kind.take_recent_peak(node); });
  }
  // Returns the bytes that all ports of a node share. None: ports have buffers of their own.
  std::optional<std::uint64_t> shared_buffer(NodeId node) const {
    return visit(kind_, [&](const auto& kind) { return kind.shared_buffer(node); });
  }
};

}  // namespace orrery::core
