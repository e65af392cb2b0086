// What nodes do that pass on packets: they keep them in their buffers, mark them, and pause those who send
// too much (docs/models/network-packet.md).
#pragma once

#include <vector>

#include "network/packet/congestion/switch_telemetry.hpp"
#include "network/packet/packet_forks.hpp"
#include "network/packet/packet_links.hpp"
#include "network/packet/packet_ways.hpp"
#include "network/packet/shared_buffer.hpp"

namespace orrery {

class PacketSwitches {
 public:
  // Keeps references. Throws InputError where a buffer is too small.
  PacketSwitches(const Topology& topology, const PacketSettings& settings, PacketLinks& links,
                 const StoredWays& ways);

  // Has switches write into packets of data from now on.
  void set_telemetry(SwitchTelemetry* telemetry) { telemetry_ = telemetry; }
  // A packet has come in by a port.
  void forward(LinkId entry, PacketId packet);
  // Sends the next packet that waits at a port; false when none may go.
  bool transmit(LinkId port);
  // The node at the other end of a port need not go on pausing.
  void forget_pauses(LinkId port) { entries_[port].paused = 0; }

  // Returns the largest number of bytes that a node has held.
  std::uint64_t peak_of(NodeId node) const { return buffers_[node].peak(); }
  std::uint64_t bytes_in(NodeId node) const { return buffers_[node].in_use(); }

 private:
  void set_thresholds(PacketPort& port) const;
  void make_buffer(NodeId node, std::uint64_t host_rate);
  LinkId choose_exit(Packet& packet, LinkId fork);
  void leave(LinkId port, PacketId packet);
  void mark(PacketPort& port, Packet& packet);

  const NetworkGraph& graph_;
  const PacketSettings& settings_;
  PacketLinks& links_;
  const StoredWays& ways_;
  PacketForks forks_;
  bool limits_queues_;
  SwitchTelemetry* telemetry_ = nullptr;
  std::vector<IngressUse> entries_;    // by port through which packets come in
  std::vector<SharedBuffer> buffers_;  // by node
};

}  // namespace orrery
