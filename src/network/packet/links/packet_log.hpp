// Follows a network of packets while it runs, and keeps what it sees. With or without a log, the network does
// the same, and packets cost the same.
#pragma once

#include "network/packet/links/packet_links.hpp"
#include "network/packet/packet_events.hpp"

namespace orrery::core {

class PacketNetwork;

class PacketLog {
 public:
  virtual ~PacketLog() = default;

  // The network has been made, and nothing has happened yet.
  virtual void begin(PacketNetwork& /*network*/) {}
  // Returns when it looks next, before all events of that time. PacketEvents::never means that it does not
  // look any more.
  virtual Stamp next_look() const { return PacketEvents::never; }
  // Called when that time has come.
  virtual void look(PacketNetwork& /*network*/) {}
};

}  // namespace orrery::core
