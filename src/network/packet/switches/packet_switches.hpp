// Simulates nodes that pass on packets: they keep packets in their queues and mark them
// (docs/models/network-packet.md).
#pragma once

#include "network/packet/congestion/switch_telemetry.hpp"
#include "network/packet/flow_control/flow_control.hpp"
#include "network/packet/links/packet_links.hpp"
#include "network/packet/routes/packet_routes.hpp"
#include "network/packet/routes/per_packet_routing.hpp"

namespace orrery::core {

class PacketSwitches {
 public:
  // Keeps references. Throws InputError where links lack thresholds for marks.
  PacketSwitches(const Topology& topology, const PacketSettings& settings, PacketLinks& links,
                 const RouteTable& routes);

  // Makes packets that go into queues be traced from now on.
  void watch_queues() { watches_queues_ = true; }
  // Makes switches write into packets of data from now on.
  void set_telemetry(SwitchTelemetry* telemetry) {
    telemetry_ = telemetry;
    writes_into_packets_ = settings_.ecn.on || telemetry;
  }
  // A packet has come in by a port.
  void forward(LinkId entry, PacketId packet);
  // Sends the next packet that waits at a port. Returns false when none may go.
  bool transmit(LinkId port);
  // A message of flow control has come in by a port.
  void obey(LinkId entry, PacketId message);
  FlowControl& flow_control() { return flow_control_; }
  const FlowControl& flow_control() const { return flow_control_; }
  // Sends a packet that waits at a port in a lane whose turn it is.
  void transmit(LinkId port, int lane) { pass_on(port, flow_control_.take(port, lane)); }

 private:
  void set_thresholds(PacketPort& port) const;
  bool goes_at_once(const PacketPort& port, int priority) const;
  LinkId choose_exit(Packet& packet, LinkId fork);
  void put(PacketPort& port, PacketId packet) {
    port.wait_from(links_.now(), links_.packets()[packet].bytes);
    port.queues.push(links_.packets(), packet);
    port.longest_queue.rise_to(port.queues.bytes());
  }
  void forward_watched(LinkId entry, PacketId packet, LinkId exit);
  void forward_or_trim(LinkId entry, PacketId packet, LinkId exit);
  bool has_room(const PacketPort& port, const Packet& packet) const;
  void trim(TrimmingControl& trimming, NodeId node, Packet& packet) const;
  void pass_on(LinkId port, PacketId packet);
  void leave(LinkId port, PacketId packet);
  void write_into(LinkId port, PacketId packet);
  void mark(LinkId port, Packet& packet);

  const NetworkGraph& graph_;
  const PacketSettings& settings_;
  PacketLinks& links_;
  const RouteTable& routes_;
  FlowControl flow_control_;
  PerPacketRouting forks_;
  bool trims_;
  bool watches_queues_;         // queues have limits, or what goes into them is traced
  bool writes_into_packets_;    // packets that leave get marks or telemetry
  std::uint32_t header_bytes_;  // bytes of trimmed packets
  SwitchTelemetry* telemetry_ = nullptr;
};

}  // namespace orrery::core
