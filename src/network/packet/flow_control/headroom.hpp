// The part of a switch's buffer that is kept for what still comes by a port after the switch has asked the
// sender at its other end to pause (docs/models/network-packet.md, Shared buffers).
#pragma once

#include <cstdint>
#include <vector>

#include "network/packet/settings/packet_settings.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core {

class Headroom {
 public:
  // Keeps references. `changes` are those of links; null: there are none.
  Headroom(const NetworkGraph& graph, const LinkChanges* changes, const PacketSettings& settings);

  // Returns the bytes that a port may still get, at most, from the moment on at which it asks its sender to
  // pause, the packet that makes it ask included. The port is named by the link that leaves from it.
  std::uint64_t needed(LinkId port) const;
  // Returns the bytes of headroom that the port has.
  std::uint64_t of(LinkId port) const;
  // Returns the bytes of a node's buffer that are not for all of its ports.
  std::uint64_t set_aside(NodeId node) const;
  // Returns the bytes of a node's buffer.
  std::uint64_t buffer_of(NodeId node) const {
    const std::uint64_t own = graph_.node(node).buffer;
    return own > 0 ? own : buffer_;
  }

 private:
  std::uint64_t in_three_delays(LinkId port) const;
  std::uint64_t usual_buffer() const;

  const NetworkGraph& graph_;
  const PacketSettings& settings_;
  std::uint32_t largest_packet_;
  std::vector<double> min_share_;  // of the bandwidth of a link while it is not broken; empty: 1
  std::uint64_t buffer_;           // of nodes that have no size of their own
};

// Returns s where a port may use a part of 2^-s of what is free of a node's buffer. Ports that are faster
// than those of hosts may use a larger part.
int shift_of_port(std::uint64_t rate, std::uint64_t host_rate, int of_hosts);

// Throws InputError where a buffer is too small for what its ports set aside, or so that a port could never
// take in a packet.
void require_room(const NetworkGraph& graph, const Headroom& headroom, const PacketSettings& settings);
// Warns of settings by which switches lose packets although they pause senders in time.
void warn_of_losses(const NetworkGraph& graph, const Headroom& headroom, const PacketSettings& settings,
                    Warnings& warnings);

}  // namespace orrery::core
